"""The words by which a fact is known to be a task, about agents, or about systems; all else is personal."""

import re

OPENS_TASK = re.compile(
    r"\W*(?:to-?do|action(?: item)?|next(?: step)?s?|follow[- ]?up|reminder|deadline"
    r"|(?:please )?(?:remember|don['’]?t forget) to)\b|待办|待辦|할 일",
    re.IGNORECASE,
)
"""How a task begins, whatever it is tagged as."""

TASK = re.compile(
    r"\b(?:(?:need|needs|have|has|want|wants|plan|plans|promised|agreed) to (?!know\b|be\b)\w+"
    r"|(?:don['’]?t|do not) forget to|to be (?:done|fixed|sent|written|renewed|checked)"
    r"|is (?:still )?(?:due|pending|open)|due (?:on|by|date)|waiting (?:for|on)"
    r"|remind(?:er)? (?:me|him|her|them|us|to)|blocked (?:by|on)|in progress|follow up (?:on|with)|work(?:s|ing) on)\b"
    r"|任务|任務|截止|마감|해야",
    re.IGNORECASE,
)
AGENTS = re.compile(
    r"\b(?:sub-?agents?|agents?(?!\s+(?:of|at) )|assistants?|claude|gpt|llms?|language models?|prompts?|system prompt"
    r"|heartbeats?|sessions?|context window|compaction|skills?|tool calls?|mcp|openclaw|clawgit|soul\.md|memory\.md"
    r"|agents\.md|tokens? (?:budget|limit)|cron jobs?)\b|代理|智能体|에이전트",
    re.IGNORECASE,
)
SYSTEM = re.compile(
    r"`[^`]+`|(?<![\w/])[~/][\w.-]+/[\w./-]+|\b\w+\.(?:ya?ml|json|toml|py|ts|js|sh|conf|env|sql)\b|\b[vV]?\d+\.\d+\.\d+\b"
    r"|\b(?:servers?|hosts?|hostname|database|db|postgres(?:ql)?|mysql|sqlite|redis|kafka|docker|kubernetes|k8s|nginx"
    r"|apis?|endpoints?|ports?|urls?|dns|domains?|ssh|ssl|tls|certificates?|deploy(?:s|ed|ment)?|staging|production|prod"
    r"|cluster|backups?|repo(?:sitory)?|branch|git|ci|builds?|pipelines?|schema|migrations?|cache|queue|config(?:uration)?"
    r"|env(?:ironment)? variables?|versions?|python|node|rust|java|linux|macos|windows|ubuntu|raspberry|router|firewall"
    r"|nas|vpn|aws|gcp|azure|s3|bucket|website|app|codebase|framework|library|packages?|billing|webhooks?)\b"
    r"|服务器|数据库|部署|配置|서버|데이터베이스|배포",
    re.IGNORECASE,
)
BOX = re.compile(r"^\[([ xX])\][ \t]+")
"""A box before a task, ticked or not."""
