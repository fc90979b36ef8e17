"""What a daily note says of what should last: the words of each category, in English, Korean and Chinese."""

from typing import NamedTuple

from clawgit.domain.extract.language import tight


class Trigger(NamedTuple):
    """`firm` is what says so outright; the rest only hints at its category."""

    category: str
    firm: bool
    pattern: str


def _firm(category: str, pattern: str) -> Trigger:
    return Trigger(category, firm=True, pattern=tight(pattern))


def _hint(category: str, pattern: str) -> Trigger:
    return Trigger(category, firm=False, pattern=tight(pattern))


_ROLE = tight(
    """(?:clients?|customers?|investors?|partners?|contacts?|suppliers?|vendors?|landlord|landlady|accountant|auditor
    |lawyer|attorney|notary|manager|director|CEO|CTO|CFO|COO|founder|co-founder|head of|lead|freelancer|contractor
    |agency|consultant|advis[eo]r|mentor|designer|developer|engineer|recruiter|intern|trainee|new hire|colleague
    |account manager|project manager|product owner|doctor|dentist|teacher|nurse|neighbou?r|supervisor|officer|editor
    |tax adviser|bookkeeper|caretaker|broker)"""
)
_NAME = r"(?-i:(?:M[rs]s?\.?|Dr\.?|Prof\.?)? ?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)"
_SOMEBODY = tight(
    r"""(?!(?:He|She|It|They|We|I|You|This|That|These|Those|There|The|A|An|All|Every\w*|Some\w*|No\w*|Any\w*|Our|My
    |His|Her|Their|Its|What|Who|When|Where|If|But|And|So|Then|Today|Only|Each|Both|Most|Many|Two|Three|Mon|Tue|Wed|Thu
    |Fri|Sat|Sun)\b)[A-Z][\w'’-]+"""
)
_STANDS = tight(
    r"""(?:prefers?|wants?|needs?|insists?|expects?|joins?|joined|leaves|is leaving|left|takes? over|took over|owns
    |handles|leads|runs|reports? to|decides|signs|speaks|answers|works|manages|looks after|will lead|will take
    |becomes?|became|replaces?|starts?|started|is (?:now )?(?:our|the|a|an|in charge|responsible|allergic|based|away
    |on leave|the one))\b"""
)
_PART = tight(
    r"""(?:importer|exporter|plugins?|adapters?|reads|writes|images|feature flags?|background jobs?|data model
    |error handling|network|web view|binary|daemon|client library|sdk|services?|engine|queues?|cache|caching|database
    |db|backend|back end|frontend|front end|api|gateway|cluster|server|servers|schema|stack|index(?:es)?|module
    |modules|portal|app|apps|workers?|pipeline|storage|search|auth(?:entication)?|login|sessions?|events?|messages?
    |jobs?|tenants?|bus|broker|load balancer|proxy|monorepo|repo(?:sitory)?|deployments?|ci|images?|containers?
    |migrations?|tables?|clients?|sync|billing|payments?|notifications?|logs?|logging|metrics|files|uploads|data|state
    |layers?|layering|infrastructure|platform|website|site|system|firmware|sensors?|controller|requests?|webhooks?
    |backups?)"""
)
_JOINT = tight(
    r"""(?:(?:runs?|talks?|communicates?|built|hosted|deployed|stored?|stores|kept|lives?|handled|keyed|resized
    |converted|versioned|come|comes|served|backed|written|based|sits?|goes|go|flows?|speaks?|connects?|connected
    |writes?|reads?|synced|replicated|sharded|partitioned|split)(?: \w+)? (?:on|in|into|through|via|by|with|over
    |behind|from|to|per)\b|\b(?:uses?|consists? of|depends? on|relies on|exposes?|publishes|subscribes?|points? at
    |calls?|owns|polls?|stores|writes|reads|sends|receives|serves|handles|validates|renders|translates?|caches|retries
    |falls back|is (?:a|an|one|idempotent|versioned|written|stateless|split|built|kept|stored|append-only|event)
    |are (?:stateless|split|built|kept|stored|append-only))\b|\bin front\b|\bbehind\b|\bone \w+ per\b)"""
)

TRIGGERS = (
    _firm(
        "decision",
        r"""^\W*(?:never|always|nobody|no one|(?:do not|don['’]t) ever|no (?:\w+ ){1,4}(?:without|before|after|until
        |this|any ?more|on|in)\b)|\bfinal\W*$|\b(?:stays?|remains?) (?:at|with|in|on|off|free|closed|as)\b
        |^\W*keep (?:the|our|all)\b|\b(?:is|are) not (?:acceptable|allowed|an option|supported|negotiable)\b
        |\bthe (?:plan|decision) is\b""",
    ),
    _firm("architecture", rf"^\W*(?:\w+ ){{0,2}}{_PART}\s*:\s*\w"),
    _firm(
        "milestone",
        r"""^(?:the |our |all )?(?:[\w-]+ ){1,6}?(?:finished|done|complete|completed|closed|registered|founded
        |delivered|deployed|handed over|signed|installed|passed|sold out)(?= (?:at|with|in|after|on|for|by|and
        |number)\b|[,.:]|$)|^sold (?:the|our)\s""",
    ),
    _firm(
        "explicit",
        r"""\b(?-i:IMPORTANT|CRITICAL|NEVER FORGET|REMEMBER|MUST KNOW|ATTENTION)\b|[★⭐❗⚠]|^\W*(?:important|critical
        |remember|nb|n\.b\.|key|attention|note well|keep in mind|key fact)\b\s*[:!–—-]|\b(?:to be|must be
        |should be) remembered\b|\bremember (?:this|that|for)\b|\bnever forget\b|\b(?:do not|don['’]t|must not
        |mustn['’]t) (?:ever )?(?:forget|be forgotten)\b|\bkeep in mind\b|\bfor the record\b|\bworth remembering\b
        |\bmust not be forgotten\b""",
    ),
    _firm("explicit", "기억해|기억할 것|기억하자|잊지 ?(?:마|말)|명심|중요\\s*[::!]|필수\\s*[::]|반드시"),
    _firm("explicit", "记住|記住|牢记|牢記|切记|切記|务必|務必|(?:不要|别|別|勿)忘|重要\\s*[::!]|注意\\s*[::]|必须记"),
    _firm(
        "financial",
        r"""[$€£₩¥]\s?\d|\d\s?[$€£₩¥]|\b\d[\d.,]*\s?k?\s?(?:usd|eur|gbp|krw|chf|cny|rmb|dollars?|euros?|pounds?)\b
        |\b(?:pricing|finances?|prices?|priced|gross margin|margins?|break-?even|bep|revenue|turnover|budgets?
        |burn(?: rate)?|runway|(?-i:MRR|ARR|EBIT|EBITDA|CAC|LTV|VAT)|invoices? (?:are|is|go|get)|fixed costs?
        |running costs?|monthly costs?|cost (?:us|per|of)|costs \d|salary|salaries|fees?|taxe?s?|loan|funding
        |investment|valuation|payment terms|discounts?|rent|down payment|deposit|royalt(?:y|ies)|subsid(?:y|ies)
        |grant of|profit|cash ?flow|retainer|hourly rate|day rate|net \d\d|interest rate|credit line
        |insurance premium)\b""",
    ),
    _firm(
        "financial",
        r"""₩|가격|요금|매출|마진|손익분기|예산|투자(?!자)|고정비|월세|임대료|세금|부가세|급여|연봉|계약금|보증금|비용
        |수수료|단가|할인|이익|적자|흑자|정산|대출|\d\s?(?:만|억|천)?\s?원""",
    ),
    _firm(
        "financial",
        r"""价格|價格|定价|定價|预算|預算|毛利|利润|利潤|营收|營收|收入|成本|费用|費用|盈亏平衡|融资|融資|投资(?!人)
        |房租|租金|工资|工資|报价|報價|折扣|税率|税款|押金|定金|现金流|估值|\d\s?(?:万|億|亿)?元""",
    ),
    _firm(
        "legal",
        r"""\btrade ?marks?\b|\bpatents?\b|\b(?-i:A?GPL|LGPL|CC-BY)\b|\b(?-i:ToS|GDPR|NDA|DPA|CCPA|HIPAA|SLA|IP rights
        |EULA)\b|\bterms of (?:service|use)\b|\blicen[cs](?:e|es|ed|ing)\b|\bcontracts?\b|\bcopyrights?\b|\blawsuit\b
        |\bsued\b|\b(?:patent )?attorneys?\b|\blawyers?\b|\bnotary\b|\blegal(?:ly)?\b|\bcompliance\b|\bliabilit(?:y
        |ies)\b|\bprivacy (?:policy|officer|notice)\b|\bdata protection\b|\bdata processing\b
        |\barticles of association\b|\bsettlement\b|\bwarrant(?:y|ies)\b|\bnon-?compete\b|\bconfidential(?:ity)?\b
        |\bregulations?\b|\bstatutory\b|\bnotice period\b|\bpermits?\b(?! (?:us|you|me|it|them|to)\b)
        |\bincorporat(?:ed|ion)\b|\bconsent form\b""",
    ),
    _firm(
        "legal",
        """상표|특허|출원|계약|약관|개인정보|저작권|라이선스|라이센스|변호사|변리사|소송|법무|법률|비밀유지|인허가
        |등록번호|법인 ?(?:설립|등기)""",
    ),
    _firm(
        "legal",
        """商标|商標|专利|專利|合同|条款|條款|隐私政策|版权|版權|许可证|許可|律师|律師|法务|诉讼|保密|合规|注册号|备案
        |法律""",
    ),
    _firm(
        "decision",
        r"""\b(?:decided|decisions?|agreed|(?:is|are|was|were|be|been|got|we|i|team|board|clients?|customers?|boss
        |management|committee|council|investors?|landlord|everybody|finance) (?:\w+ )?(?:approved|confirmed)
        |confirmed by|approved by|chose|chosen|opted|settled on|resolved to|signed off|green-?lit|vetoed|rejected
        |declined|turned down|ruled out|dropped (?:support|the|our)|discontinued?|deprecated|abandoned|going with
        |go with|went with|sticking (?:to|with)|stick (?:to|with)|from now on|switch(?:ed|ing)? (?:\w+ ){0,4}(?:to
        |from|over)|migrat(?:ed|ing) (?:\w+ ){0,3}(?:to|from)|will (?:no longer|not|stay|use|be replaced)|won['’]t
        |we (?:will|shall)|we['’]ll|stopp?(?:ed|ing)? (?:using|supporting|selling|offering)|no more|called off
        |cancell?ed the|postponed (?:to|until)|move[sd]? (?:\w+ ){0,4}(?:to|from) (?:the (?:first|second|third|last
        |end) |next |q\d|\d+|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july
        |august|september|october|november|december)|committed to|the rule is|new rule|policy)\b""",
    ),
    _hint(
        "decision",
        r"""\b(?:approved|confirmed|picked|selected|replaced|cancell?ed|postponed|instead of|no longer
        |not any more)\b""",
    ),
    _firm(
        "decision",
        """결정|확정|합의|승인|채택|기로 ?(?:했|함|하였|결)|정했|통일(?:했|함|하)|폐지|금지|(?:절대
        |하지) ?(?:.{1,12} )?말 ?것|하지 않기|중단하기로|철회|부결|선정""",
    ),
    _firm(
        "decision",
        r"""决定|決定|决议|決議|确定|確定|确认|確認|敲定|同意|批准|通过了|商定|选定|選定|选择了|改为|改為|改成|不再
        |采用|採用|以后|以後|今后|不得|禁止|严禁|一律|放弃|放棄|取消|推迟|推遲|拍板""",
    ),
    _firm(
        "strategy",
        r"""^\W*(?:(?:the|our|new|product|company|overall) ){0,2}(?:roadmap|vision|strategy|mission|priorit(?:y|ies)
        |goals?|focus|positioning|bet|target market|okrs?)\b[^.?!]{0,40}?(?::| is\b| are\b)|\b(?:we|to) (?:focus
        |concentrate|bet) on\b|\bfocus(?:es|ed)? on\b|\b(?:long|mid|medium)-term (?:plan|goal|aim)s?\b|\bnorth star\b
        |\bin the long run\b|\bbets? for\b|\bexpan(?:d|ding|sion) (?:to|into)\b|\bgrowth (?:through|by|comes)\b
        |\bpivot(?:ed|ing)? to\b|\bmarket entry\b|\bgo-to-market\b|\b(?:goal|aim|target) for (?:the|this|next|20\d\d
        |q[1-4])\b|\b(?:enter|leave|win|conquer)(?:s|ing)? (?:the )?\w+ market\b|\bfirst (?:the )?\w+ market\b
        |\b(?:top|first|main) priority\b|\bcompete on\b""",
    ),
    _hint(
        "strategy",
        r"""\b(?:road ?map|vision|strateg(?:y|ic|ies)|long-term|priorit(?:y|ies|ise|ize)|okrs?|positioning)\b""",
    ),
    _firm(
        "strategy",
        """로드맵|전략|(?:방향|목표)(?:은|는)|비전은|비전\\s*[::]|우선순위|(?:에|로) 집중|중장기|시장 진출|진출
        |해외 시장""",
    ),
    _firm(
        "strategy",
        """路线图|路線圖|战略|戰略|策略|愿景|願景|长期目标|长远|优先级|优先(?!考虑吗)|重点(?:是|放)|(?:明年|今年
        |先).{0,12}再|海外市场|聚焦|专注于|进军|进入.{1,6}市场""",
    ),
    _firm("architecture", rf"\b{_PART}\b[^.?!]{{0,60}}?\b{_JOINT}|\b{_JOINT}[^.?!]{{0,30}}\b{_PART}\b"),
    _hint(
        "architecture",
        r"""\b(?:architecture|design|schema|stack|(?:micro)?services?|database|backend|frontend|monorepo|protocol|api
        |data model|event sourcing|message queue|cache|caching|index(?:es|ing)?|cluster|kubernetes|postgres(?:ql)?
        |redis|kafka|nats|infrastructure|topology|encryption|sharding|replication|framework|module|layers?)\b""",
    ),
    _hint(
        "architecture",
        """아키텍처|설계|스키마|스택|서비스|데이터베이스|서버|인프라|모듈|백엔드|프런트엔드|프론트엔드|캐시|큐로
        |배포 구조""",
    ),
    _firm(
        "architecture",
        """(?:서비스|서버|데이터베이스|모듈|백엔드|프런트엔드|프론트엔드|시스템|엔진|앱|데이터|캐시|이벤트|로그|검색
        |인증|결제|이미지|파일|백업).{0,30}?(?:삭제|보관|통일|통신|사용|저장|구성|기반|분리|나눈|나눔|배포|처리|동작
        |돌아|거친|거쳐|통해|호출)""",
    ),
    _hint(
        "architecture",
        """架构|架構|设计|設計|数据库|資料庫|接口|服务|模块|技术栈|缓存|队列|微服务|前端|后端|服务器|集群""",
    ),
    _firm(
        "architecture",
        """(?:服务|系统|数据|数据库|前端|后端|模块|接口|缓存|日志|搜索|消息|订单|支付|登录|架构|平台|引擎|网关|文件
        |图片).{0,20}?(?:使用|采用|通过|运行在|部署在|基于|存储在|存到|存在|保存|保留|备份到|存放|写入|走|拆分|拆成
        |组成|分为|分成|只能|用)""",
    ),
    _firm(
        "milestone",
        r"""\b(?:launched|shipped|released|went live|goes live|is live|go-live|handed over|milestones?|first (?:paying
        |enterprise|customer|user|sale|order|release|invoice|version|prototype|payment|contract|employee|hire|shipment
        |harvest|export)|for the first time|\d[\d.,]*(?:st|nd|rd|th) (?:customer|user|star|box|order|issue|release
        |sale|member|download|copy)|(?:deployed|rolled out|released) to (?:production|prod|all|customers|everybody)
        |in the (?:app|play) store|(?:live|online) since|been live|(?:seed|angel|series \w|funding) round
        |accepted (?:into|at|by|for|as)|passed (?:the|her|his|our|all|their) (?:\w+ )?(?:test|exam|audit|inspection
        |certification|course|probation)|(?:reached|hit|passed|crossed|exceeded|surpassed) (?:the )?[$€£]?\d[\d.,]*k?
        |[$€£]?\d[\d.,]*k? (?:users|customers|downloads|subscribers|stars|orders|members|seats|signups)|(?:is|are|was
        |were|has been|have been) (?:now |finally |officially )?(?:finished|done|complete|completed|launched|released
        |shipped|delivered|accepted|certified|published|granted|awarded|open|opened|signed|planted|built|installed
        |migrated)|phase \w+ (?:of \S+ )?(?:\w+ ){0,2}(?:is |was |now )?(?:done|complete|completed|finished|begins?
        |started|starts|over)|closed the (?:\w+ )?round|raised|won (?:the|a|our|first)|passed the (?:\w+ )?(?:audit
        |exam|inspection|certification|test)|opened (?:the|our) |graduated|published|handed in|submitted the
        |signed (?:the|a|with|off)|got (?:the|our) first|moved into (?:the|our)|version \d|v\d+\.\d+|1\.0
        |general availability|beta)\b""",
    ),
    _hint(
        "milestone",
        r"""\b(?:launch|release|phase (?:\d|one|two|three|i+)|completed|finished|prototype|go live|first)\b""",
    ),
    _firm(
        "milestone",
        """출시|런칭|론칭|정식 ?오픈|오픈했|달성|돌파|완료|첫 ?(?:고객|매출|결제|계약|유료|출고|수출|사용자|주문|버전)
        |유치|수상|인증 ?(?:획득|통과)|배포 ?완료|합격|준공|개점|졸업|마무리|출고(?:됨|됐|했|함)|넘(?:음|었|어섰)
        |(?:로|으로) 이전(?:함|했)|입주""",
    ),
    _firm(
        "milestone",
        """上线|上線|发布|發布|正式发售|完成|达成|達成|突破|首个|首個|首次|第一(?:个|位|次|笔|批)|里程碑|验收|交付
        |获奖|開業|开业|竣工|毕业|通过(?:认证|审核|验收)|超过.{0,3}[\\d一二三四五六七八九十百千万]|发货|搬到|搬进""",
    ),
    _firm(
        "people",
        rf"""\b{_ROLE}\b[^.?!:;]{{0,40}}?{_NAME}|(?-i:\b{_SOMEBODY}),? (?:is |becomes )?(?:now )?(?:the|our|their|a
        |an)\s(?:\w+ )?{_ROLE}\b|\bcontact (?:for|at|person)\b|\b(?-i:(?:Dr|Prof|M[rs]s?)\.? [A-Z][\w'’-]+)
        |(?-i:(?<![.!?] )(?<!^)\b{_SOMEBODY}|^{_SOMEBODY}(?: [A-Z][\w'’-]+)?) {_STANDS}|\b(?:met|meeting|call|talks?
        |spoke|lunch) with (?:the )?{_NAME}|\bmeeting (?:results?|outcome)\b""",
    ),
    _hint("people", rf"\b(?:{_ROLE}|team|board|stakeholders?|candidates?|hired|onboarding)\b"),
    _firm(
        "people",
        """변리사|담당자|담당은|(?:을|를) 맡(?:는|아|았|음)|투자자|파트너사?|거래처|고객사|클라이언트
        |[가-힣]{1,4} ?(?:과장|부장|팀장|대표|이사|차장|대리|실장|사장|교수)(?:님|은|는|이|가|과|와|을|에| )|입사|퇴사
        |합류|채용|후임|미팅 결과""",
    ),
    _hint("people", "고객|팀원|동료|미팅|면담"),
    _firm(
        "people",
        """负责.{1,8}(?:的|业务|部|区)|联系人|聯絡人|负责人|負責人|合作伙伴|合作方|投资人|投資人|供应商
        |[\\u4e00-\\u9fff](?:总|经理|工程师|老师|教授|主任|律师)|入职|离职|加入|接手|接替|招聘|对接|会面|會面|会谈""",
    ),
    _hint("people", "客户|客戶|同事|团队|會議|会议"),
)  # fmt: skip

FALSE_FRIENDS = tight(
    r"""\b(?:price|cost) tags?\b|\bmargin notes?\b|\bpartner (?:dance|yoga|look)\b|\blicensed (?:taxi|driver
    |plumber)\b|\bbeta testers?\b|\b(?:lawyer|attorney|client|partner|investor)['’]s (?:cat|dog|car|kids?|wife|husband
    |birthday)\b|价格标签|标价签|\bpatent shoes\b|\blegal (?:drama|thriller|age)\b|\bstrategy games?\b|전략 ?게임
    |战略游戏|策略游戏|결정 장애|\bvision of the (?:film|movie|book|game|eye)\b|\bbeta (?:carotene|fish)\b|架构师来
    |\bgoals? in the\b|\blicence plates?\b|\bsocial contract\b|\bcontract killer\b|\bstack ?(?:trace|overflow)s?\b
    |\bstacks? of\b|\bmargins? of the (?:page|paper|text|document|photo|image)|\b(?:page|left|right|top
    |bottom) margins?\b|\bphase of the moon\b|\b(?:blurred|night|eye|tunnel) ?vision\b|\b(?:sparring|dance|dancing
    |tennis|gym|running|chess|business) partner\b|\bdesign(?:ed|ing)?\s(?:a\s|the\s)?(?:birthday|card|poster|t-shirt
    |logo for fun|flyer|invitation)\b|\b(?:launched|opened|released|started)\s(?:the\s|a\s|my\s)?(?:browser|editor
    |chrome|firefox|safari|excel|word|xcode|docker|vs ?code|terminal|app|emulator|debugger|simulator|game|console
    |shell|vm|script|brake|clutch|button|balloon|cat|dog)\b|\bconfirmed (?:with a|the (?:alarm|popup|dialog|prompt))\b
    |\bcritical (?:section|path)\b|\bpermits? of\b|\bpicked (?:up|\w+ up|berries|apples|flowers)\b
    |\bconfirmed my (?:subscription|e-?mail)\b|\bagreed to disagree\b|\brent a (?:bike|car|scooter)\b
    |\bpatent leather\b|\bpatently\b|\bshipped (?:back|the parcel)\b|\braised (?:my|her|his|an eyebrow|the question)
    |\b(?:price|cost) of (?:coffee|bread|beer|milk|eggs|lunch)\b|\bchose (?:the|a) (?:blue|red|green|window|corner)\b
    |\bfirst (?:thing|coffee|snow|name|of all|half|aid)\b|\bclient(?:-| )?side\b|\bserver(?:-| )?side\b"""
)
"""What has a trigger in it and speaks of something else."""
