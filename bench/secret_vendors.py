"""How the keys of some 130 vendors look, as their documentation describes them, and in what texts
people leave them.

Written from the vendors' pages before the rules were, and without them: a row is a vendor and a
template, in which `{a36}` stands for 36 signs drawn from alphabet `a`, `{w40-60}` for between 40
and 60.
"""

import random
import re
import string
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.safety.rules.secrets import findings

EACH = 10
_SEED = 20261120
_ALPHABETS = {
    "h": string.hexdigits[:16],
    "H": "0123456789ABCDEF",
    "a": string.ascii_letters + string.digits,
    "w": string.ascii_letters + string.digits + "-_",
    "b": string.ascii_letters + string.digits + "+/",
    "z": string.ascii_lowercase + string.digits,
    "Z": string.ascii_uppercase + string.digits,
    "q": string.ascii_uppercase + "234567",
    "k": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
    "d": string.digits,
}
_DRAWN = re.compile(r"\{([a-zA-Z])(\d+)(?:-(\d+))?\}")
_UUID = "{h8}-{h4}-4{h3}-a{h3}-{h12}"

VENDORS: tuple[tuple[str, str], ...] = (
    ("AWS access key", "AKIA{q16}"),
    ("AWS session key", "ASIA{q16}"),
    ("AWS Bedrock", "ABSK{b128}"),
    ("Adafruit", "aio_{a28}"),
    ("Adobe", "p8e-{w32}"),
    ("age", "AGE-SECRET-KEY-1{Z58}"),
    ("Airtable", "pat{a14}.{h64}"),
    ("Alibaba", "LTAI5t{a18}"),
    ("Anthropic", "sk-ant-api03-{w93}AA"),
    ("Anthropic OAuth", "sk-ant-oat01-{w86}-{w6}AA"),
    ("Apify", "apify_api_{a36}"),
    ("Artifactory", "AKCp8{a68}"),
    ("Artifactory reference", "cmVmdGtu{a56}"),
    ("Asana", "2/{d16}/{d16}:{h32}"),
    ("Atlassian", "ATATT3xFfGF0{w175-185}={H8}"),
    ("Atlassian access", "ATCTT3xFfGN0{w170-185}={H8}"),
    ("Azure AD", "{a3}8Q~{w34}"),
    ("Bitbucket", "ATBB{a24}{H8}"),
    ("Brave", "BSA{w28}"),
    ("Brevo", "xkeysib-{h64}-{a16}"),
    ("Brevo SMTP", "xsmtpsib-{h64}-{a16}"),
    ("Buildkite", "bkua_{h40}"),
    ("Cal.com", "cal_live_{h32}"),
    ("Cerebras", "csk-{z48}"),
    ("CircleCI", "CCIPAT_{a22}_{h40}"),
    ("Clojars", "CLOJARS_{h60}"),
    ("Cloudflare user token", "cfut_{a40}{h8}"),
    ("Cloudflare account token", "cfat_{a40}{h8}"),
    ("Cloudflare origin CA", "v1.0-{h24}-{h146}"),
    ("Confluent", "cflt{b60}"),
    ("Contentful", "CFPAT-{w43}"),
    ("crates.io", "cio{a32}"),
    ("Databricks", "dapi{h32}"),
    ("DigitalOcean", "dop_v1_{h64}"),
    ("Discord bot", "MT{a24}.G{w5}.{w38}"),
    ("Discord webhook", "https://discord.com/api/webhooks/{d19}/{w68}"),
    ("Docker Hub", "dckr_pat_{w27}"),
    ("Doppler personal", "dp.pt.{a43}"),
    ("Doppler service", "dp.st.prd.{a43}"),
    ("Dropbox", "sl.{w138}"),
    ("Dropbox new", "sl.u.{w150-180}"),
    ("Duffel", "duffel_live_{w43}"),
    ("Dynatrace", "dt0c01.{q24}.{q64}"),
    ("E2B", "e2b_{h40}"),
    ("EasyPost", "EZAK{a54}"),
    ("ElevenLabs", "sk_{h48}"),
    ("Facebook", "EAAC{a12}BA{a140-180}"),
    ("Facebook app", "{d16}|{w27}"),
    ("Feishu webhook", f"https://open.feishu.cn/open-apis/bot/v2/hook/{_UUID}"),
    ("Figma", "figd_{w40}"),
    ("Firecrawl", "fc-{h32}"),
    ("Fireworks", "fw_{a24}"),
    ("Fly", "FlyV1 fm2_{b120-300}"),
    ("Fly organisation", "fo1_{w43}"),
    ("Frame.io", "fio-u-{w64}"),
    ("GitHub", "ghp_{a36}"),
    ("GitHub app", "ghs_{a36}"),
    ("GitHub fine-grained", "github_pat_{a22}_{a59}"),
    ("GitLab", "glpat-{w20}"),
    ("GitLab routable", "glpat-{w27}.01.{z9}"),
    ("GitLab runner", "glrt-{w20}"),
    ("GitLab feature flags", "glffct-{w20}"),
    ("Google API", "AIza{w35}"),
    ("Google OAuth secret", "GOCSPX-{w28}"),
    ("Google access token", "ya29.{w130-200}"),
    ("Google refresh token", "1//0{w62}"),
    ("Grafana service", "glsa_{a32}_{h8}"),
    ("Grafana cloud", "glc_eyJ{a100-160}"),
    ("Groq", "gsk_{a52}"),
    ("Harness", "pat.{w22}.{h24}.{a20}"),
    ("Heroku", "HRKU-AA{w58}"),
    ("HubSpot", f"pat-na1-{_UUID}"),
    ("Hugging Face", "hf_{a34}"),
    ("Infracost", "ico-{a32}"),
    ("Instagram", "IGAA{a140-170}"),
    ("Intercom", "dG9rO{b54}="),
    ("JSON web token", "eyJhbGciOiJIUzI1NiJ9.eyJ{a60}.{w43}"),
    ("LangSmith", "lsv2_pt_{h32}_{h10}"),
    ("Langfuse", f"sk-lf-{_UUID}"),
    ("LaunchDarkly", f"sdk-{_UUID}"),
    ("Linear", "lin_api_{a40}"),
    ("LinkedIn", "WPL_AP1.{a16}.{b8}=="),
    ("Logfire", "pylf_v1_us_{a43}"),
    ("Mailchimp", "{h32}-us12"),
    ("Mailgun", "key-{h32}"),
    ("Mandrill", "md-{w22}"),
    ("Mapbox", "sk.eyJ{a70-90}.{w22}"),
    ("Matrix", "syt_{a12}_{a20}_{a6}"),
    ("Mercado Pago", "APP_USR-{d16}-{d6}-{h32}-{d9}"),
    (
        "Microsoft Teams webhook",
        f"https://acme.webhook.office.com/webhookb2/{_UUID}@{_UUID}/IncomingWebhook/{{h32}}/{_UUID}",
    ),
    ("MongoDB Atlas", "mdb_sa_sk_{w40}"),
    ("Neon", "napi_{z64}"),
    ("Netlify", "nfp_{a36}"),
    ("New Relic", "NRAK-{Z27}"),
    ("Nostr", "nsec1{k58}"),
    ("Notion", "ntn_{a46}"),
    ("npm", "npm_{a36}"),
    ("NuGet", "oy2{z43}"),
    ("NVIDIA", "nvapi-{w64}"),
    ("Octopus", "API-{Z26}"),
    ("Okta", "00{w40}"),
    ("1Password service account", "ops_eyJ{a300-500}"),
    ("OpenAI", "sk-proj-{w74}T3BlbkFJ{w74}"),
    ("OpenAI legacy", "sk-{a20}T3BlbkFJ{a20}"),
    ("OpenAI service", "sk-svcacct-{w58}T3BlbkFJ{w58}"),
    ("OpenRouter", "sk-or-v1-{h64}"),
    ("OpenShift", "sha256~{w43}"),
    ("Paddle", "pdl_live_apikey_{z26}_{a22}_{a3}"),
    ("Perplexity", "pplx-{a48}"),
    ("Pinecone", "pcsk_{a6}_{a63}"),
    ("Plaid", f"access-production-{_UUID}"),
    ("PlanetScale password", "pscale_pw_{w43}"),
    ("PlanetScale token", "pscale_tkn_{w43}"),
    ("Polar", "polar_oat_{a43}"),
    ("PostHog", "phx_{a43}"),
    ("Postman", "PMAK-{h24}-{h34}"),
    ("Prefect", "pnu_{z36}"),
    (
        "private key",
        "-----BEGIN RSA PRIVATE KEY-----\\n{b64}\\n{b64}\\n-----END RSA PRIVATE KEY-----",
    ),
    ("Pulumi", "pul-{h40}"),
    ("PyPI", "pypi-AgEIcHlwaS5vcmc{w150-170}"),
    ("ReadMe", "rdme_{z70}"),
    ("Render", "rnd_{a32}"),
    ("Replicate", "r8_{a37}"),
    ("Resend", "re_{a8}_{a24}"),
    ("Rootly", "rootly_{h64}"),
    ("RubyGems", "rubygems_{h48}"),
    ("RunPod", "rpa_{Z46}"),
    ("Salesforce", "00D{a12}!{a96}"),
    ("Samsara", "samsara_api_{a30}"),
    ("SendGrid", "SG.{w22}.{w43}"),
    ("Sentry organisation", "sntrys_eyJ{a100-160}=_{b43}"),
    ("Sentry user", "sntryu_{h64}"),
    ("Shippo", "shippo_live_{h40}"),
    ("Shopify", "shpat_{h32}"),
    ("Slack bot", "xoxb-{d12}-{d13}-{a24}"),
    ("Slack app", "xapp-1-A{Z10}-{d13}-{h64}"),
    ("Slack rotating", "xoxe.xoxp-1-{a163}"),
    ("Slack webhook", "https://hooks.slack.com/services/T{Z8}/B{Z10}/{a24}"),
    ("Slack workflow", "https://hooks.slack.com/workflows/T{Z8}/A{Z10}/{d18}/{a24}"),
    ("SonarQube", "sqp_{h40}"),
    ("Sourcegraph", "sgp_{h16}_{h40}"),
    ("Square", "EAAAl{w59}"),
    ("Square OAuth", "sq0csp-{w43}"),
    ("Square old", "sq0atp-{w22}"),
    ("Stripe", "sk_live_{a99}"),
    ("Stripe restricted", "rk_live_{a99}"),
    ("Stripe webhook", "whsec_{a32}"),
    ("Supabase", "sbp_{h40}"),
    ("Supabase secret", "sb_secret_{w22}_{a8}"),
    ("Tailscale auth", "tskey-auth-{a11}CNTRL-{a32}"),
    ("Tailscale API", "tskey-api-{a11}CNTRL-{a32}"),
    ("Tavily", "tvly-dev-{a32}"),
    ("Telegram", "{d10}:AA{w33}"),
    ("Tencent", "AKID{a32}"),
    ("Terraform", "{a14}.atlasv1.{w67}"),
    ("Together", "tgp_v1_{w43}"),
    ("Trello", "ATTA{h64}{H8}"),
    ("Twilio", "SK{h32}"),
    ("Twitch", "oauth:{z30}"),
    ("Typeform", "tfp_{a44}_{a14}"),
    ("Vault service", "hvs.{w90-110}"),
    ("Vault batch", "hvb.{w140-200}"),
    ("Vercel", "vcp_{a56}"),
    ("Vercel blob", "vercel_blob_rw_{a16}_{a30}"),
    ("Voyage", "pa-{w43}"),
    ("WakaTime", f"waka_{_UUID}"),
    ("WeCom webhook", f"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={_UUID}"),
    ("xAI", "xai-{a80}"),
    ("Yandex", "AQVN{w36}"),
    ("Yandex OAuth", "y0_{w55}"),
    ("Zoho", "1000.{h32}.{h32}"),
)

LATER: tuple[tuple[str, str], ...] = (
    ("1Password secret key", "A3-{Z6}-{Z11}-{Z5}-{Z5}-{Z5}"),
    ("Authress", "sc_{z20}.{z5}.acc-{z20}.{z60}"),
    ("AWS Bedrock, short", "bedrock-api-key-{b400}"),
    ("Azure key", "{a52}JQQJ99{a26}"),
    ("Browserbase", "bb_live_{w30}"),
    ("ClickHouse", "4b1d{a38}"),
    ("Cursor", "key_{h64}"),
    ("DingTalk webhook", "https://oapi.dingtalk.com/robot/send?access_token={h64}"),
    ("Flutterwave", "FLWSECK-{h32}-X"),
    ("Gemini", "AQ.Ab{w48}"),
    ("Grafana, old", "eyJrIjoi{a80}="),
    ("Intra 42", "s-s4t2ud-{h64}"),
    ("Jina", "jina_{w60}"),
    ("JSON web token in base64", "ZXlKaGJHY2lPaU{b200}"),
    ("Lob", "live_{h35}"),
    ("LocalStack", "ls-abCd1234-{a4}-{a4}-{a4}-{a12}"),
    ("MaxMind", "{a6}_{a29}_mmk"),
    ("MemU", "mu_{w110}"),
    ("New Relic insert", "NRII-{w32}"),
    ("ngrok", "ak_2{a26}_{a22}"),
    ("Scalingo", "tk-us-{w48}"),
    ("SettleMint", "sm_pat_{a16}"),
    ("Snyk", "snyk_uat.{h8}.{w60}"),
    ("Telnyx", "KEY0{H30}_{a22}"),
    ("Twitter", "AAAAAAAAAAAAAAAAAAAAA{a12}%2B{a30}%3D{a50}"),
    ("Vault, old", "s.{a24}"),
    ("Zapier webhook", "https://hooks.zapier.com/hooks/catch/{d8}/{z7}"),
)
"""Added when the rules were there, so that each rule is met; they say nothing about what was not
foreseen."""

CONTEXTS: tuple[tuple[str, str, str], ...] = (
    ("prose", "notes.md", "- Ana gave me {0} on Friday, she said."),
    ("end of a sentence", "notes.md", "It goes out with {0}."),
    ("code span", "notes.md", "use `{0}` for it"),
    ("env", ".env", "export THE_VALUE={0}"),
    ("json", "x.json", '{{"value": "{0}", "port": 5432}}'),
    ("yaml", "x.yaml", "service:\n  value: {0}\n  port: 1"),
    ("table", "notes.md", "| staging | {0} | Ana |"),
    ("url", "notes.md", "https://api.example.org/v1/x?value={0}&page=2"),
    ("code", "x.py", 'client = Client("{0}", retries=3)'),
    ("Chinese", "notes.md", "昨天的值是{0}，请保存。"),
)


class Row(NamedTuple):
    """How often one vendor's key was found, and where it was not."""

    vendor: str
    found: int
    drawn: int
    missed: tuple[str, ...]


def rows(vendors: tuple[tuple[str, str], ...] = VENDORS) -> Iterator[Row]:
    """Each vendor's random keys, one a context."""
    for vendor, template in vendors:
        source = random.Random(f"{_SEED} {vendor}")
        missed = []
        for n in range(EACH):
            name, path, context = CONTEXTS[n % len(CONTEXTS)]
            if not findings(path, context.format(_drawn(template, source))):
                missed.append(name)
        yield Row(vendor, EACH - len(missed), EACH, tuple(missed))


def keys(each: int = 1) -> Iterator[tuple[str, str]]:
    """Some keys of each vendor, alone."""
    for vendor, template in (*VENDORS, *LATER):
        source = random.Random(f"{_SEED} alone {vendor}")
        yield from ((vendor, _drawn(template, source)) for _ in range(each))


def report() -> str:
    """How many kinds and keys were found, then each kind that was missed anywhere."""
    all_rows = list(rows())
    found, drawn = sum(row.found for row in all_rows), sum(row.drawn for row in all_rows)
    whole = sum(row.found == row.drawn for row in all_rows)
    lines = [
        f"kinds: {whole} of {len(all_rows)} found in every context; keys: {found} of {drawn}",
        "",
    ]
    lines += [
        f"{row.vendor:28}{row.found:3}/{row.drawn}  {', '.join(row.missed)}"
        for row in all_rows
        if row.missed
    ]
    return "\n".join(lines)


def _drawn(template: str, source: random.Random) -> str:
    def draw(part: re.Match[str]) -> str:
        least, most = int(part[2]), int(part[3] or part[2])
        return "".join(source.choices(_ALPHABETS[part[1]], k=source.randint(least, most)))

    return _DRAWN.sub(draw, template)
