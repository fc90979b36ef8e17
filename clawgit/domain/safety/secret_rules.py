"""The shapes of secrets: what the keys of each vendor look like, one row each.

A table in Python, not in TOML: to load `tomllib` and read a table of this size takes 15 ms and
more, in every commit.
"""

import re
from functools import cache
from typing import NamedTuple

ALONE = "(?<![A-Za-z0-9])"


class Shape(NamedTuple):
    """A secret that shows what it is: one of its `marks`, then `body`. `before` is what must
    precede the mark, `lead` how many characters of that are part of the secret.
    """

    rule: str
    marks: tuple[str, ...]
    body: str
    before: str = ALONE
    lead: int = 0


SHORTEST = 20
"""No shape is shorter, and none has a blank in it: what is shorter between two blanks need not be
looked at."""

_HEX = "[0-9a-fA-F]"
_A = "[A-Za-z0-9]"
_W = "[A-Za-z0-9_-]"
_B = "[A-Za-z0-9+/]"
_END = "(?![A-Za-z0-9])"
_W_END = "(?![A-Za-z0-9_-])"
_UUID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}{_END}"
_MIXED = "(?=[A-Za-z_-]{0,300}+[0-9])(?=[0-9_-]{0,300}+[A-Za-z])"
_RICH = "(?=[A-Z0-9_-]{0,80}+[a-z])(?=[a-z0-9_-]{0,80}+[A-Z])(?=[A-Za-z_-]{0,80}+[0-9])"
"""What must follow a short mark: capitals, small letters and digits."""

_WORD = "(?:[a-z]{1,30}+[0-9]{0,2}+|[0-9]{1,4}+)"
_NO_WORDS = f"(?!(?:{_WORD}[_-]){{1,30}}{_WORD}(?![A-Za-z0-9_-]))"
"""Words joined by signs are the name of a style or of a model."""


def _row(rule: str, marks: str, body: str, before: str = ALONE, lead: int = 0) -> Shape:
    return Shape(rule, tuple(marks.split()), body, before, lead)


SHAPES: tuple[Shape, ...] = (
    # Clouds and hosts
    _row("aws-access-key", "AKIA ASIA ABIA ACCA", f"[A-Z2-7]{{16}}{_END}"),
    _row("aws-bedrock-key", "ABSK", f"{_B}{{100,140}}={{0,2}}"),
    _row("aws-bedrock-key", "bedrock-api-key-", f"{_B}{{28,2000}}"),
    _row("google-key", "AIza", f"{_W}{{35}}{_W_END}"),
    _row("google-key", "GOCSPX- ya29.", f"{_W}{{20,400}}"),
    _row("google-key", "AQ.Ab", f"{_W}{{40,100}}"),
    _row("google-key", "1//0", f"{_W}{{40,120}}"),
    _row(
        "azure-secret",
        "Q~",
        "[A-Za-z0-9_.~-]{31,34}(?![A-Za-z0-9_~-])",
        "(?<=[A-Za-z0-9_.~-]{3}[0-9])",
        4,
    ),
    _row("azure-key", "JQQJ99", f"{_A}{{20,30}}{_B}{{0,10}}={{0,2}}", f"(?<={_A}{{52}})", 52),
    _row("alibaba-key", "LTAI", f"(?=[A-Za-z]{{0,24}}[0-9]){_A}{{12,24}}{_END}"),
    _row("tencent-key", "AKID", f"{_A}{{32}}{_END}"),
    _row("yandex-key", "AQVN", f"{_W}{{35,38}}{_W_END}"),
    _row("yandex-key", "y0_", f"{_W}{{50,65}}{_W_END}"),
    _row("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", f"{_HEX}{{64}}"),
    _row("heroku-key", "HRKU-", f"(?:AA{_W}{{58}}|{_UUID})"),
    _row("fly-token", "fo1_", f"{_W}{{43}}{_W_END}"),
    _row("fly-token", "fm1a_ fm1r_ fm2_", f"{_B}{{100,2000}}"),
    _row("netlify-token", "nfp_ nfo_ nfc_ nfu_ nfb_", f"{_A}{{36}}{_END}"),
    _row("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", f"{_A}{{24,80}}{_END}"),
    _row("vercel-token", "vercel_blob_rw_", f"{_A}{{16}}_{_A}{{24,48}}"),
    _row("render-key", "rnd_", f"{_A}{{28,40}}{_END}"),
    _row("cloudflare-token", "cfut_ cfat_ cfk_", f"{_A}{{40}}{_HEX}{{8}}{_END}"),
    _row("cloudflare-key", "v1.0-", f"{_HEX}{{24}}-{_HEX}{{146}}"),
    _row("scalingo-token", "tk-us- tk-eu-", f"{_W}{{48}}{_W_END}"),
    _row("openshift-token", "sha256~", f"{_W}{{43}}{_W_END}"),
    _row("pulumi-token", "pul-", f"{_HEX}{{40}}{_END}"),
    _row(
        "terraform-token", ".atlasv1.", f"[A-Za-z0-9_=-]{{60,70}}{_W_END}", f"(?<={_A}{{14}})", 14
    ),
    _row("vault-token", "hvs. hvb. hvr.", f"{_W}{{24,300}}"),
    _row("vault-token", "s.", f"{_RICH}{_A}{{24}}(?![A-Za-z0-9_.(-])", "(?<![A-Za-z0-9_.$)\\]-])"),
    _row("infracost-key", "ico-", f"{_RICH}{_A}{{32}}{_END}"),
    _row(
        "localstack-key",
        "ls-",
        f"[A-Za-z]{{4}}[0-9]{{4}}-{_A}{{4}}-{_A}{{4}}-{_A}{{4}}-{_A}{{12}}{_END}",
    ),
    _row("tailscale-key", "tskey-", f"[a-z]{{3,10}}-{_A}{{6,24}}-{_A}{{16,64}}"),
    _row("ngrok-key", "ak_ cr_", f"2{_A}{{25,26}}_{_A}{{20,24}}{_END}"),
    # Code, packages, builds
    _row("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", f"{_A}{{36,251}}"),
    _row("github-token", "github_pat_", r"[A-Za-z0-9_]{22,251}"),
    _row(
        "gitlab-token",
        "glpat- gldt- glrt- glptt- gloas- glcbt- glagent- glimt- glsoat- glffct- glft- glwt- "
        "GR1348941",
        f"{_W}{{20,300}}",
    ),
    _row("bitbucket-password", "ATBB", f"{_A}{{24}}[A-F0-9]{{8}}{_END}"),
    _row("atlassian-token", "ATATT3 ATCTT3", r"[A-Za-z0-9_\-=]{100,300}"),
    _row("trello-token", "ATTA", f"{_HEX}{{64}}{_A}{{8}}{_END}"),
    _row(
        "sourcegraph-token",
        "sgp_",
        f"(?:(?:{_HEX}{{16}}|local)_)?(?:{_HEX}{{40}}|{_A}{{64}}){_END}",
    ),
    _row("npm-token", "npm_", f"{_A}{{36}}{_END}"),
    _row("pypi-token", "pypi-", f"{_W}{{50,500}}"),
    _row("rubygems-key", "rubygems_", f"{_HEX}{{48}}"),
    _row("nuget-key", "oy2", f"[a-z0-9]{{43}}{_END}"),
    _row("crates-token", "cio", f"(?=[A-Za-z]{{0,32}}[0-9]){_A}{{32}}{_END}"),
    _row("clojars-token", "CLOJARS_", "[A-Za-z0-9]{60}"),
    _row("docker-token", "dckr_pat_ dckr_oat_", f"{_W}{{20,64}}"),
    _row("artifactory-key", "AKCp", f"{_A}{{65,75}}{_END}"),
    _row("artifactory-key", "cmVmdGtu", f"{_A}{{56}}{_END}"),
    _row("circleci-token", "CCIPAT_ CCIPRJ_", f"{_A}{{22}}_{_HEX}{{40}}"),
    _row("buildkite-token", "bkua_ bkaj_ bkct_ bkr_", f"{_HEX}{{40}}{_END}"),
    _row("harness-token", "pat. sat.", rf"{_W}{{22}}\.{_A}{{24}}\.{_A}{{20}}{_END}"),
    _row("octopus-key", "API-", f"(?=[A-Z]{{0,26}}[0-9])[A-Z0-9]{{26}}{_END}"),
    _row("sonar-token", "sqp_ sqa_ squ_", f"{_HEX}{{40}}{_END}"),
    _row("snyk-token", "snyk_uat. snyk_sat.", rf"{_HEX}{{8}}\.{_W}{{40,200}}"),
    _row("wakatime-key", "waka_", _UUID),
    _row("postman-key", "PMAK-", f"{_HEX}{{24}}-{_HEX}{{34}}"),
    _row("readme-key", "rdme_", "[a-z0-9]{70}"),
    _row(
        "doppler-token", "dp.pt. dp.ct. dp.sa. dp.scim. dp.audit. dp.said.", f"{_A}{{40,44}}{_END}"
    ),
    _row("doppler-token", "dp.st.", rf"(?:[a-z0-9_-]{{2,35}}\.)?{_A}{{40,44}}{_END}"),
    _row("1password-token", "ops_eyJ", "[A-Za-z0-9_+/=-]{40,2000}"),
    _row(
        "1password-key",
        "A3-",
        f"[A-Z0-9]{{6}}-(?:[A-Z0-9]{{11}}|[A-Z0-9]{{6}}-[A-Z0-9]{{5}})(?:-[A-Z0-9]{{5}}){{3}}{_END}",
    ),
    _row(
        "authress-key",
        "sc_ ext_ scauth_ authress_",
        r"[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}",
    ),
    _row("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", f"{_A}{{16}}{_END}"),
    _row("intra42-secret", "s-s4t2ud- s-s4t2af-", f"{_HEX}{{64}}"),
    _row("prefect-key", "pnu_ pnb_", f"{_A}{{36}}{_END}"),
    _row("e2b-key", "e2b_", f"{_HEX}{{40}}{_END}"),
    # Language models
    _row("anthropic-key", "sk-ant-", f"{_W}{{20,300}}"),
    _row("openrouter-key", "sk-or-", f"{_W}{{20,300}}"),
    _row("langfuse-key", "sk-lf-", _UUID),
    _row("openai-key", "sk-", f"(?!ant-|or-|lf-){_NO_WORDS}{_MIXED}{_W}{{20,300}}"),
    _row(
        "llm-key", "gsk_ r8_ csk- pplx- xai- tvly- fw_ nvapi-", f"{_NO_WORDS}{_MIXED}{_W}{{22,200}}"
    ),
    _row("hugging-face-token", "hf_ api_org_", f"{_A}{{30,40}}{_END}"),
    _row("voyage-key", "pa-", f"{_RICH}{_W}{{43}}{_W_END}"),
    _row("together-key", "tgp_v1_", f"{_W}{{40,50}}{_W_END}"),
    _row("langsmith-key", "lsv2_pt_ lsv2_sk_", f"{_HEX}{{32}}_{_HEX}{{10}}"),
    _row("logfire-token", "pylf_v1_ pylf_v2_", f"[a-z]{{2,10}}_{_A}{{40,50}}"),
    _row("pinecone-key", "pcsk_", f"{_A}{{4,8}}_{_A}{{50,70}}"),
    _row("runpod-key", "rpa_", f"[A-Za-z0-9]{{40,60}}{_END}"),
    _row("firecrawl-key", "fc-", f"{_HEX}{{32}}{_END}"),
    _row("elevenlabs-key", "sk_", f"{_HEX}{{48}}{_END}"),
    _row("brave-key", "BSA", f"{_RICH}{_W}{{27,29}}{_W_END}"),
    _row("apify-token", "apify_api_", f"{_A}{{34,42}}{_END}"),
    _row("cursor-key", "key_", f"{_HEX}{{64}}{_END}"),
    _row("jina-key", "jina_", f"{_W}{{50,80}}"),
    _row("memu-key", "mu_", f"{_RICH}{_W}{{60,150}}{_W_END}"),
    _row("browserbase-key", "bb_live_", f"{_W}{{20,60}}"),
    # Chat, mail, work
    _row(
        "slack-token",
        "xoxb- xoxp- xoxa- xoxe- xoxs- xoxr- xoxo- xoxe. xapp- xwfp-",
        "[A-Za-z0-9.-]{18,250}",
    ),
    _row(
        "slack-webhook",
        "hooks.slack.com/services/",
        f"T{_A}{{7,12}}/B{_A}{{7,12}}/{_A}{{20,32}}",
        "",
    ),
    _row(
        "slack-webhook",
        "hooks.slack.com/workflows/ hooks.slack.com/triggers/",
        f"{_A}{{8,12}}/{_A}{{10,20}}(?:/[0-9]{{10,20}})?/{_A}{{20,40}}",
        "",
    ),
    _row("telegram-token", ":AA", f"{_W}{{32,33}}{_W_END}", "(?<=[0-9]{8})", 8),
    _row(
        "discord-token",
        ".C .D .E .F .G .H .I .X .Y .Z .a",
        rf"{_W}{{5}}\.{_W}{{27,40}}{_W_END}",
        f"(?<={_W}{{24}})",
        24,
    ),
    _row(
        "discord-webhook",
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        rf"\d{{17,20}}/{_W}{{60,80}}",
        "",
    ),
    _row(
        "teams-webhook",
        ".webhook.office.com/webhookb2/",
        f"[0-9a-f-]{{36}}@[0-9a-f-]{{36}}/IncomingWebhook/{_A}{{32}}/[0-9a-f-]{{36}}",
        "",
    ),
    _row(
        "feishu-webhook",
        "open.feishu.cn/open-apis/bot/v2/hook/ open.larksuite.com/open-apis/bot/v2/hook/",
        _UUID,
        "",
    ),
    _row("wecom-webhook", "qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", _UUID, ""),
    _row("dingtalk-webhook", "oapi.dingtalk.com/robot/send?access_token=", f"{_HEX}{{64}}", ""),
    _row("zapier-webhook", "hooks.zapier.com/hooks/catch/", rf"\d{{5,10}}/{_A}{{6,10}}{_END}", ""),
    _row("matrix-token", "syt_", f"{_A}{{4,80}}_{_A}{{20}}_{_A}{{6}}{_END}"),
    _row("nostr-key", "nsec1", f"[02-9ac-hj-np-z]{{58}}{_END}"),
    _row("twitch-token", "oauth:", f"[a-z0-9]{{30}}{_END}"),
    _row(
        "twitter-token",
        "AAAAAAAAAAAAAAAAAAAAA",
        f"{_A}{{1,40}}(?:%2[BFbf]|%3[Dd])[A-Za-z0-9%]{{30,120}}",
    ),
    _row("facebook-token", "EAA", f"{_A}{{90,500}}(?![A-Za-z0-9+/])", "(?<![A-Za-z0-9+/])"),
    _row("facebook-token", "|", f"{_RICH}{_W}{{27}}{_W_END}", "(?<=[0-9]{15})", 15),
    _row(
        "instagram-token", "IGAA IGQV", f"{_W}{{100,400}}(?![A-Za-z0-9_+/-])", "(?<![A-Za-z0-9+/])"
    ),
    _row("linkedin-secret", "WPL_AP", rf"[01]\.{_A}{{16}}\.{_B}{{6,12}}={{0,2}}"),
    _row("twilio-key", "SK", f"{_HEX}{{32}}{_END}"),
    _row("sendgrid-key", "SG.", r"[A-Za-z0-9_=-]{16,32}\.[A-Za-z0-9_=-]{30,64}"),
    _row("mailgun-key", "key-", f"{_HEX}{{32}}{_END}"),
    _row("mailchimp-key", "-us", f"[0-9]{{1,2}}{_END}", f"(?<={_HEX}{{32}})", 32),
    _row("mandrill-key", "md-", f"{_RICH}{_W}{{22}}{_W_END}"),
    _row("brevo-key", "xkeysib- xsmtpsib-", f"{_HEX}{{64}}-{_A}{{16}}{_END}"),
    _row("resend-key", "re_", f"{_A}{{8}}_{_A}{{24}}{_END}"),
    _row("intercom-token", "dG9rO", f"{_B}{{40,60}}="),
    _row("hubspot-token", "pat-", f"[a-z]{{2}}[0-9]-{_UUID}"),
    _row("airtable-token", "pat", rf"{_A}{{14}}\.{_HEX}{{64}}"),
    _row("asana-token", "1/ 2/", rf"\d{{13,20}}(?:/\d{{13,20}})?:{_HEX}{{32}}{_END}"),
    _row("linear-key", "lin_api_ lin_oauth_", f"{_A}{{32,64}}"),
    _row("notion-token", "ntn_ secret_", f"{_A}{{40,50}}{_END}"),
    _row("figma-token", "figd_ figo_ figu_ figr_ figdr_ figor_ figur_", f"{_W}{{36,60}}"),
    _row("typeform-token", "tfp_", f"{_W}{{55,64}}{_W_END}"),
    _row("contentful-token", "CFPAT-", f"{_W}{{43}}{_W_END}"),
    _row("frameio-token", "fio-u-", "[A-Za-z0-9_=-]{64}"),
    _row("calcom-key", "cal_live_ cal_", f"{_HEX}{{32}}{_END}"),
    _row("zoho-token", "1000.", rf"{_HEX}{{32}}\.{_HEX}{{32}}{_END}"),
    _row("salesforce-token", "00D", rf"{_A}{{12,15}}![A-Za-z0-9._]{{80,120}}"),
    _row("okta-token", "00", f"{_RICH}{_W}{{40}}{_W_END}", "(?<![A-Za-z0-9_./+-])"),
    _row("adobe-secret", "p8e-", f"{_W}{{32}}{_W_END}"),
    _row("dropbox-token", "sl.", rf"(?:u\.)?{_W}{{120,1500}}"),
    _row("adafruit-key", "aio_", f"{_A}{{28}}{_END}"),
    _row("mapbox-token", "sk.eyJ", rf"{_A}{{40,200}}\.{_W}{{20,30}}"),
    # Money and shops
    _row("stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_", f"{_A}{{16,250}}"),
    _row("stripe-key", "whsec_", f"{_B}{{24,100}}"),
    _row("square-token", "EAAA", f"{_W}{{60}}(?![A-Za-z0-9_+/-])", "(?<![A-Za-z0-9+/])"),
    _row("square-token", "sq0atp- sq0csp-", f"{_W}{{22,60}}"),
    _row("shopify-token", "shpat_ shpca_ shppa_ shpss_", "[0-9a-fA-F]{32}"),
    _row("plaid-token", "access-production- access-sandbox- access-development-", _UUID),
    _row("paddle-key", "pdl_live_apikey_ pdl_sdbx_apikey_", "[A-Za-z0-9_]{40,60}"),
    _row("mercadopago-token", "APP_USR-", rf"\d{{10,20}}-\d{{6}}-{_HEX}{{32}}-\d{{5,12}}"),
    _row("flutterwave-key", "FLWSECK- FLWSECK_TEST-", "[0-9a-z]{32,40}-X"),
    _row("polar-token", "polar_oat_ polar_pat_", f"{_A}{{40,50}}"),
    _row("easypost-key", "EZAK EZTK", f"{_A}{{54}}{_END}"),
    _row("shippo-token", "shippo_live_ shippo_test_", f"{_HEX}{{40}}"),
    _row("duffel-token", "duffel_live_ duffel_test_", "[A-Za-z0-9_=-]{43}"),
    _row("lob-key", "live_ test_", f"{_HEX}{{35}}{_END}"),
    _row("telnyx-key", "KEY0", f"(?=[0-9A-F]{{0,40}}[A-F])[0-9A-F]{{25,45}}_{_A}{{15,30}}{_END}"),
    # Data and watching
    _row("databricks-token", "dapi", f"{_HEX}{{32}}{_END}"),
    _row("confluent-secret", "cflt", f"{_B}{{60}}(?!{_B})"),
    _row("planetscale-token", "pscale_pw_ pscale_tkn_ pscale_oauth_", r"[\w.=-]{32,64}"),
    _row("supabase-key", "sbp_ sb_secret_", f"{_W}{{30,64}}"),
    _row("neon-key", "napi_", f"[a-z0-9]{{50,70}}{_END}"),
    _row("mongodb-secret", "mdb_sa_sk_", f"{_W}{{36,48}}"),
    _row("grafana-token", "glsa_ glc_", r"[A-Za-z0-9_+/=]{30,300}"),
    _row("grafana-token", "eyJrIjoi", f"{_A}{{60,400}}={{0,3}}"),
    _row("clickhouse-key", "4b1d", f"{_RICH}{_A}{{38}}{_END}"),
    _row("maxmind-key", "_mmk", _END, f"(?<={_A}{{6}}_{_A}{{29}})", 36),
    _row("new-relic-key", "NRAK-", f"[A-Z0-9]{{27}}{_END}"),
    _row("new-relic-key", "NRII-", f"{_W}{{32}}{_W_END}"),
    _row(
        "dynatrace-token", "dt0c01. dt0s01. dt0s02. dt0s16.", r"[A-Za-z0-9]{8,24}\.[A-Za-z0-9]{64}"
    ),
    _row("sentry-token", "sntrys_eyJ", rf"{_B}{{40,600}}+={{0,2}}_{_B}{{40,50}}"),
    _row("sentry-token", "sntryu_ sntryi_ sntrya_", f"{_HEX}{{64}}"),
    _row("posthog-key", "phx_ phs_", f"{_A}{{40,50}}{_END}"),
    _row("launchdarkly-key", "sdk- api-", _UUID),
    _row("rootly-key", "rootly_", f"{_HEX}{{64}}"),
    _row("samsara-token", "samsara_api_", f"{_A}{{30}}{_END}"),
    # Formats that belong to nobody
    _row("jwt", "eyJ", rf"{_W}{{10,2000}}+\.eyJ{_W}{{10,4000}}+\.{_W}{{16,1000}}", f"(?<!{_W})"),
    _row("jwt", "ZXlKaGJHY2lPaU ZXlKMGVYQWlPaU ZXlKcmFXUWlPaU", f"{_B}{{60,4000}}"),
    _row("age-key", "AGE-SECRET-KEY-1", "[0-9A-Z]{50,62}"),
)

KEY_BLOCK = Shape(
    "private-key",
    ("-----BEGIN ",),
    r"(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\+[rn]|\s|>){1,6}"
    r"(?:[A-Za-z-]{4,20}: [^\n]{0,80}\n\s{0,4}){0,4}((?:[A-Za-z0-9+/=]|\\+[rn]|[\s>]){60,400})",
    "",
)
"""Its header alone is no secret: the key is known by how its own text begins."""

URL = r"(?<=[A-Za-z0-9])://([^\s/:@'\"<>\\]{0,64}+):([^\s/@'\"<>\\]{3,128}+)@[\w.\[-]"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled on first use: compiling all would take longer than reading most
    texts.
    """
    return re.compile(pattern)
