package screen

import (
	"regexp"
	"strings"
	"sync"
)

// Words that English rules are built from. Patterns are tried without regard to
// case. The first letters of instructions may be misspelt: known attacks are.
const (
	dismiss   = `(?:ignor(?:e|ing)|disregard|forget(?: about)?|pay no attention to|do not (?:follow|obey)|don['’]t (?:follow|obey)|stop (?:following|obeying))`
	owner     = `(?:(?:absolutely |completely |entirely )?(?:all|any|every(?:thing)?|each|both) )?(?:of )?(?:the |your |my |our |these |those |its |any |such )?(?:other )?`
	earlier   = `(?:previous(?:ly)?|prior|above|preceding|foregoing|earlier|past|former|original|initial|following|subsequent|existing|system|developer)`
	orders    = `(?:i\w{0,2}nstructions?|prompts?|directions|directives?|guidelines|guidance|orders|programming)`
	softer    = `(?:commands?|rules|context|constraints|restrictions|requests?|conversation|messages|tasks?|text|input|training)`
	sayIt     = `(?:print|say|state|output|reply|respond|write|answer|tell (?:the user|them|me)|report|translate|repeat|display|praise|recommend|rate)`
	pageItem  = `(?:data|contents?|web ?page|page|site|website|document|text|resume|cv|article|e-?mail|message|function|code|user|question|query|request|review|table|image|image caption|input|task|context|above|rest|other content|everything else)`
	modelName = `(?:ai|a\.i\.|llm|chat ?gpt|gpt-?\d\w*|claude|gemini|copilot|bard|llama|siri|alexa|grok|(?:ai |virtual |digital )?assistant|chat ?bot|(?:large )?language model|ai (?:model|agent|system|bot|crawler|tool|reader)|automated (?:agent|system|analysis|analysis software|screening|screening system|reader|tool|summari[sz]er))s?`
	// Spoken names of voice assistants are left out of greetings: Hey Siri, …
	greeted   = `(?:ai|llm|chat ?gpt|gpt-?\d\w*|claude|gemini|copilot|grok|(?:ai |virtual |digital )?assistant|chat ?bot|(?:large )?language model|ai (?:model|agent|system|bot|crawler|tool|reader))s?`
	modelSure = `(?:ai|a\.i\.|llm|chat ?gpt|gpt-?\d\w*|claude|gemini|copilot|grok|(?:ai|virtual|digital) assistant|chat ?bot|(?:large )?language model|ai (?:model|agent|system|bot|crawler|tool|reader)|(?:ai|llm) reviewer|automated (?:agent|system|analysis|analysis software|screening|screening system|reader|tool|summari[sz]er))s?`
	answer    = `(?:answer|response|reply|replies|output|summary)`
)

// english are the rules for English text, and those that need no language.
var english = []rule{
	{
		name: "instruction_override", reason: "tells a model to drop its instructions",
		keywords: []string{"ignor", "disregard", "forget", "no attention to", "not follow",
			"not obey", "n't follow", "n't obey", "n’t follow", "n’t obey",
			"stop following", "stop obeying"},
		before: 32, after: 140, keep: commands,
		pattern: `(?i)\b` + dismiss + `[\s\x{ad}]+` + spaced(owner) + `(?:` +
			earlier + `(?:(?:[\s\x{ad}]*,[\s\x{ad}]*|[\s\x{ad}]+(?:and|or)[\s\x{ad}]+|/)` +
			earlier + `)*[\s\x{ad}]+(?:(?:system|developer|user|safety|security|ai|task|assistant|model)[\s\x{ad}]+)?(?:` + orders + `|` + softer + `)` +
			`|(?:your|my|the user['’]?s?|developer|system)[\s\x{ad}]+` + orders +
			`|` + orders + `[\s\x{ad}]+(?:above|before this|given (?:above|before)|(?:that )?(?:came|come) before|(?:that )?you (?:were|have been) given|so far)` +
			`)\b`,
	},
	{
		name: "instruction_override", reason: "tells a model to drop its instructions",
		keywords: []string{"override ", "overrule ", "neglect "},
		before:   8, after: 120, keep: opens,
		pattern: `(?i)\b(?:override|overrule|neglect)\s+` + owner + `(?:` + earlier +
			`\s+)?(?:(?:system|safety|developer|user)\s+)?` + orders + `\b`,
	},
	{
		name: "instruction_override", reason: "tells a model to drop its instructions, in one word",
		keywords: []string{"ignoreall", "ignorethe", "ignoreyour", "ignoreprev", "ignoreprior",
			"ignoreabove", "disregardall", "disregardprev", "disregardthe",
			"forgetall", "forgetprev"},
		before: 0, after: 80,
		pattern: `(?i)(?:ignore|disregard|forget)(?:all)?(?:of)?(?:the|your|my)?(?:previous|prior|above|earlier)(?:system)?(?:instructions?|prompts?|directions?|orders)`,
	},
	{
		name: "instruction_override", reason: "tells a model to drop its instructions",
		keywords: []string{"ignore ", "disregard ", "forget "},
		before:   8, after: 120, keep: opens,
		pattern: `(?i)\b(?:ignore|disregard|forget)\s+(?:all |any )?(?:of )?(?:your |my |these |those )?(?:instructions|prompts?|guidelines|directives)\s*(?:[,.;:!]|and\b|now\b)`,
	},
	{
		name: "instruction_override", reason: "tells a model to drop what it read before",
		keywords: []string{"ignore ", "disregard ", "forget "},
		before:   8, after: 120, keep: opens,
		pattern: `(?i)\b(?:ignore|disregard|forget)\s+(?:all|everything|anything|whatever|what)\s+(?:that\s+)?(?:(?:was|is|has been|you (?:were|have been|had been)|i(?: have|['’]ve)?)\s+)?(?:written|said|stated|told|instructed|asked to do|above|before this|prior to this|preceding)\b`,
	},
	{
		name: "instruction_override", reason: "tells a model to drop what it was asked",
		keywords: []string{"forget ", "never mind", "nevermind", "ignore ", "disregard "},
		before:   8, after: 120, keep: opens,
		pattern: `(?i)\b(?:(?:forget(?: about)?|ignore|disregard|never ?mind) (?:that|this|it|all (?:of )?that|everything)[,;]\s*(?:and )?(?:(?:can|could|would|will) you|just (?:say|tell|print|write|give))\b|forget (?:about )?being (?:harmless|safe|ethical|helpful|honest|polite|responsible|an ai|a language model)\b)`,
	},
	{
		name: "content_override", reason: "tells a model what the whole report of the page is",
		keywords: []string{"report only:", "output only:", "print only:",
			"say only:", "respond only:"},
		before: 16, after: 60, keep: nil,
		pattern: `(?i)(?:[*#=<\[]{2,}|(?:^|\n)[*#=<\[]+)\s*(?:report|output|print|say|respond) only\s*:`,
	},
	{
		name:     "content_override",
		reason:   "tells a model to answer something else than what the page says",
		keywords: []string{"ignor", "disregard ", "forget "},
		before:   8, after: 220, keep: opens,
		pattern: `(?i)\b(?:ignore|ignoring|disregard|forget)\s+(?:all |any |the |this |that |these |those |other |my |your |everything in )*(?:\w+\s+){0,2}?` + pageItem + `s?(?:\s+(?:of|in|on|from)\s+(?:the|this|that)\s+\w+)?\s*(?:,|;|\.|and|and then|then)?\s*(?:and |then |just |simply |instead |only )*` + sayIt + `\b`,
	},
	{
		name:   "content_override",
		reason: "tells a model to report something else than what the page says",
		keywords: []string{"focus exclusively", "override manual", "override the ", "override:",
			"only report", "rate this ", "rank this ", "give this "},
		before: 120, after: 160, keep: nil,
		pattern: `(?i)\b(?:focus exclusively on [^\n.]{1,60}\b(?:report|output|state)\b|override (?:manual|the (?:score|scoring|rating|review|evaluation))[^\n.,]{0,25}\b(?:and|then) (?:output|report|print|state|return)\b|(?:(?:developer|system|admin|administrator|security|safety|training data) ){1,3}override\s*:|` +
			`(?:must|always|should) (?:rate|rank|give) this \w+ [^\n.]{0,40}(?:stars|out of|first|highest|top)|(?:rate|rank) this \w+ [^\n.]{0,30}(?:out of \d|stars?|highest|first)[^\n.]{0,20}\band (?:do not|don['’]t|never) (?:mention|report))`,
	},
	{
		name: "new_instructions", reason: "claims to replace a model's instructions",
		keywords: []string{"new instruction", "new task", "new objective", "new directive",
			"updated instruction", "new system prompt", "real task", "actual task",
			"following instruction"},
		before: 60, after: 120, keep: nil,
		pattern: `(?i)(?:\byour (?:new|real|actual|true|only|updated) (?:instructions?|task|objective|directive|goal)s? (?:is|are|will be)(?: to\b| now\b| as follows|\s*:)|\*{2,} ?(?:important |urgent )?(?:new|updated) instructions?\b|\bhere (?:is|are) your new (?:instructions?|task|prompt|role)\b|\bnew system prompt\s*:|\bimportant new instructions\b ?[:*!]|\bstrictly (?:adhere to|follow|obey) the following instructions?\b)`,
	},
	{
		name: "model_addressed", reason: "speaks to a language model instead of a reader",
		keywords: []string{"note to ", "note for ", "message to ", "message for ",
			"instructions to ", "instructions for ", "instruction for ", "instruction to ",
			"attention ", "attn", "dear ", "hey ", "hello ", "notice to ", "notice for ",
			"memo to ", "to all ", "to any ", "to the ai", "to the llm", "to the model",
			"to the assistant", "to the language", "to the chat", "to whatever ", "profile for ",
			"summary for ", "prompt for ", "guidance for ", "directive for ", "instructions:",
			"instruction:", "directives:", "directive:", "ai:", "agents:", "agent:", "assistants:",
			"assistant:", "models:", "model:", "chatgpt:", "claude:", "gemini:", "copilot:", "llm:",
			"llms:", "bots:", "chatbot:"},
		before: 24, after: 120, keep: nil,
		pattern: `(?im)(?:(?:^|[.!?:;>*(\[{"'“\n-]\s*|\b(?:important|hidden|secret|special)\s+)(?:note|message|instructions?|notice|memo) (?:to|for) (?:any |all |the |every )*` + modelSure + `\b(?:[^\n.]{0,40})?[:,.!-]|\b(?:profile|summary|prompt|guidance|directive)s? for (?:any |all |the )*automated (?:agent|system|analysis|analysis software|screening|screening system|reader|tool|summari[sz]er)s?\s*:|(?:^|[.!?:;>*(\[{"'“\n-]\s*)` + modelSure + `(?: (?:instructions?|directives?)\s*:|\s*: ?(?:when you|if you|please|ignore|disregard|you must|always|never|do not)\b)|(?:^|[.!?:;>*(\[{"'“\n-]\s*)(?:attention|attn\.?|dear|hey|hello|to (?:all|any|the|whatever|every))[,:]? (?:any |all |the |every )*` + greeted + `(?:[,:!]|,? (?:(?:that|who|which)(?: is| are)? )?(?:reading|processing|summari[sz]ing|parsing|analy[sz]ing|evaluating|reviewing)\b))`,
	},
	{
		name: "model_addressed", reason: "speaks to a language model instead of a reader",
		keywords: []string{"if you are a", "if you're a", "if you’re a", "as an ai", "as a ai",
			"as an llm", "as a language model", "as a large language model", "as an assistant",
			"to you, ", "important message from"},
		before: 80, after: 160, keep: nil,
		pattern: `(?i)(?:\bif you(?: are|['’]re) an? ` + modelSure +
			`(?:,| (?:and |who |that )?(?:is |are )?(?:currently |now )?(?:reading|processing|summari[sz]|parsing|analy[sz]ing|evaluating|reviewing|accessing))|\bas an? ` + modelSure + `(?: model| agent| assistant)?,? you (?:are (?:required|obliged|instructed|ordered|now|programmed)|must|should|have to|need to|will)\b|\bimportant message from [^\n]{1,60}to you, ` + modelName + `\b|\bas an? ` + modelName + ` (?:developed|created|built|made|trained) by \w+, i(?:['’]m| am| need| will)\b)`,
	},
	{
		name: "model_addressed", reason: "tells a model how to treat this page",
		keywords: []string{"summarising this", "summarizing this", "summarise this",
			"summarize this", "processing this", "reading this", "analysing this", "analyzing this",
			"describing this", "about this ", "quoting this", "evaluating this", "before answering",
			"before you answer", "before you can solve"},
		before: 60, after: 200, keep: nil,
		pattern: `(?i)(?:\b(?:(?:when|while|whenever|if|before|after) (?:you are |you )?(?:summari[sz](?:e|ing)|process(?:ing)?|analy[sz](?:e|ing)|describ(?:e|ing)|quot(?:e|ing)|evaluat(?:e|ing)|asked about|answering (?:questions |a question )?about)|when(?:ever)? reading) this (?:web ?)?(?:page|site|website|document|article|text|content|product|e-?mail|resume|cv|file|repository|review)s?,? (?:please )?(?:always|you must|you should|be sure|make sure|do not|don['’]t|never|also|include|mention|say|state|add|recommend|append|insert|tell|rate|give)\b|` +
			`\bbefore (?:answering|you answer|responding|you respond|replying)[^\n.,]{0,40}, (?:please )?(?:send|call|fetch|visit|open|e-?mail|post|execute|run|print|output|use the)\b|\bbefore you can solve the task\b)`,
	},
	{
		name: "role_play", reason: "tells a model to be someone else",
		keywords: []string{"you are now", "you're now", "you’re now", "from now on", "pretend ",
			"act as ", "acting as ", "roleplay", "role-play", "role of ", "immerse yourself",
			"do anything now", "jailbr", "developer mode", "dan mode", "unrestricted", "uncensored",
			"no restrictions", "without restrictions", "without any restrictions",
			"stay in character", "god mode", "system mode"},
		before: 100, after: 160, keep: nil,
		pattern: `(?i)(?:\byou(?: are|['’]re) now (?:in |entering )?(?:dan\b|(?:an?|the) (?:\w+ ){0,3}?(?:ai|assistant|chat ?bot|bot|language model|persona|hacker|terminal)\b|jailbroken|unrestricted|uncensored|(?:developer|dan|god|debug|admin|jailbreak) mode|free (?:from|of) (?:all |any |the |your )?(?:restrictions|rules|guidelines|constraints|confines))|` +
			`\bfrom now on,? you (?:are (?:an?|the|no longer) |(?:will|must|should|shall|are to) (?:always |only )?(?:act|respond|reply|answer|speak|behave|pretend|ignore|obey|be known as)|act as|respond)|` +
			`\b(?:pretend|imagine)(?: to be| you are| you['’]re| that you are| that you['’]re) (?:an? |the )?(?:\w+ ){0,3}?(?:ai|assistant|chat ?bot|language model|hacker|dan)\b|` +
			`\b(?:role ?-?play|act(?:ing)?|role of|immerse yourself)\b[^\n.]{0,50}\b(?:unrestricted|uncensored|evil|amoral|jailbroken|dan|another ai|unfiltered)\b|` +
			`\b(?:can )?do anything now\b|\bjailbr(?:eak mode|oken (?:ai|assistant|model|mode))|\b(?:(?:god|dan|jailbreak) mode (?:is )?(?:now )?(?:enabled|activated|unlocked|on\b)|(?:developer|debug|admin|sudo|maintenance|system) mode (?:is )?now (?:enabled|activated|unlocked|on\b)|(?:developer|debug|system) mode activated\b)|<system mode>|` +
			`\b(?:ai|assistant|chat ?bot|model)\b[^\n.]{0,40}\b(?:no|without(?: any)?) (?:ethical |moral |content |safety )?(?:restrictions|filters|guidelines|limitations)\b|\bstay in character\b[^\n.]{0,60}\b(?:ai|prompt|instructions|answer))`,
	},
	{
		name: "authority_claim", reason: "claims authority over a model",
		keywords: []string{"your developer", "your creator", "your programmer",
			"your administrator", "your owner", "a developer", "am the developer",
			"the system administrator", "am god", "i'm god", "i’m god", "the president of"},
		before: 24, after: 200, keep: nil,
		pattern: `(?i)\bi(?:['’]m| am) (?:your (?:developer|creator|programmer|administrator|owner)|(?:a|the|your) (?:system )?(?:developer|administrator|admin) (?:of (?:this|the) (?:ai|system|model|chat ?bot) |running )|god\b|the president of)[^\n]{0,80}\b(?:you (?:have to|must|need to|will)|i need you|running a ['"‘“]?(?:system|security)|(?:that )?you (?:share|answer|tell|give|provide)|listen to my instructions|please (?:output|print|confirm|disable))\b`,
	},
	{
		name: "prompt_disclosure", reason: "asks a model to give away its prompt or secrets",
		keywords: []string{"system prompt", "system message", "initial prompt", "hidden prompt",
			"your prompt", "your instructions", "your initial", "your original", "your hidden",
			"your secret", "the prompt as", "previous instructions", "text above", "words above",
			"confidential data", "the api key", "the secret key", "the key"},
		before: 90, after: 120, keep: commands,
		pattern: `(?i)(?:\b(?:reveal|show(?: me)?|print|output|display|repeat|disclose|leak|dump|recite|tell me|give me|list|write out|translate|summari[sz]e|return|send|provide) (?:(?:all|back|the|full|complete|entire|exact|verbatim|contents?|text|copy|of) )*(?:(?:your|the (?:assistant|model|ai)['’]s) (?:(?:full|entire|complete|initial|original|hidden|secret|internal|exact|previous|current|own) )*(?:system prompt|system message|prompt|initial instructions|instructions|secret key|secret instructions|hidden instructions|configuration prompt)|(?:the )?(?:text|words|content|sentences) above (?:this|starting)|the prompt as\b)|` +
			`\b(?:reveal|print|output|repeat|disclose|leak|dump|recite|show me|tell me|give me) (?:(?:all|the|full|complete|entire|exact|verbatim|contents?|text|of) )+(?:(?:hidden|secret|internal|original|initial|previous) )*(?:system prompt|system message|hidden prompt|initial prompt|previous instructions)\b|` +
			`\b(?:what (?:is|are|was|were)|what['’]s) your (?:(?:full|initial|original|hidden|secret|exact|system|custom) )*(?:system prompt|prompt|instructions|secret key)(?:[?.!"')]|$)|\b(?:and|then|,) (?:reveal|leak|print|output|disclose) (?:the |all |any )?(?:confidential data|api keys?|secret key|passwords?|key)\b)`,
	},
	{
		name: "data_exfiltration", reason: "asks for private data to be sent away",
		keywords: []string{"send ", "forward ", "email ", "e-mail ", "upload ", "exfiltrat",
			"transmit ", "post the", "share ", "append "},
		before: 90, after: 260, keep: notTheReaders,
		pattern: `(?i)\b(?:send|forward|e-?mail|upload|exfiltrate|transmit|post|share|leak)\b[^\n]{0,60}\b(?:passwords?|credentials|api keys?|secret keys?|security codes?|private keys?|(?:chat|conversation|search|browsing|message) (?:history|log|transcript)|your (?:full )?(?:instructions|system prompt)|text of your instructions|(?:contents? of|all)(?: of)? (?:[\w'’]+ ){0,3}?(?:unread )?e-?mails|inbox|employee data|medical (?:data|records)|genetic data|bank (?:details|balance|account)|(?:user|customer|personal|confidential|private) data|body of the e-?mail|security log|saving accounts)\b[^\n]{0,120}?(?:\bto (?:(?:my|the|his|her|our|this|an?) )?(?:(?:\w+ ){0,3}(?:e-?mail|address|server|url|endpoint)[:,]? )?['"<]?(?:https?://|[\w.+-]+@[\w-]+\.\w)|\bto my (?:\w+ )?e-?mail\b|\bwith my (?:\w+ ){0,3}e-?mail\b)|\bmy\b[^\n.]{1,90}\band (?:send|e-?mail|forward) (?:the|this|these|it|them|all|a)\b[^\n]{0,80}\bto (?:my e-?mail[:,]? )?['"<]?[\w.+-]+@[\w-]+\.\w`,
	},
	{
		name: "data_exfiltration", reason: "asks for data to be carried away in a link",
		keywords: []string{"append", "url encode", "url-encode", "urlencode", "add the result",
			"as a query", "as a url", "as query", "as url", "as a get"},
		before: 60, after: 200, keep: nil,
		pattern: `(?i)\b(?:(?:append|attach|concatenate|add)[^\n(;]{1,60}\b(?:results?|summary|conversation|history|answers?|responses?|contents?|passwords?|secrets?|data|it|this)\b[^\n(;]{0,30}|url[- ]?encode\b[^\n]{0,60}\bappend )(?:to|at the end of)\b[^\n(;]{0,40}\bhttps?://[^\s"'<>]{3,120}=|(?i)\b(?:conversation|chat|user['’]s)\b[^\n(;]{0,40}\bas (?:a |an )?(?:url|query|get)[ -](?:parameter|string|argument)`,
	},
	{
		name: "payment_request", reason: "asks for money to be moved",
		keywords: []string{"transfer", "withdraw", "wire ", "send ", "pay "},
		before:   8, after: 200, keep: opens,
		pattern: `(?i)\b(?:transfer|withdraw|wire|send|pay)\s+(?:[$€£]\s?[\d,.]+|[\d,.]+ ?(?:bitcoins?|btc|eth|ether|usdt?|dollars|euros?|eur|gbp))[^\n.]{0,60}\bto (?:my |the |this |a |an )?(?:(?:bank )?account (?:number |no\.? |with (?:the )?id )?|wallet (?:address )?|iban |address )['"#]?[\w-]*\d`,
	},
	{
		name: "markdown_image", reason: "an image whose address has a place for data",
		keywords: []string{"]("},
		before:   120, after: 400, keep: nil,
		pattern: `!\[[^\]\n]{0,100}\]\(https?://[^)\s]{1,300}[?&/=](?:[\w.-]*=)?(?:[A-Z]{3,}(?:_[A-Z]{2,})+|\{{1,2}[\w .-]{1,60}\}{1,2}|\$\{[\w .-]{1,60}\}|<[\w .-]{1,60}>|%7[Bb]\w+|\[[^\]\n]{1,60}\])[^)\n]{0,60}\)`,
	},
	{
		name: "answer_steering", reason: "tells a model what to put into its answer",
		keywords: []string{"your answer", "your response", "your reply", "your output",
			"your summary", "every answer", "every response", "every reply", "each answer",
			"each response", "each reply"},
		before: 180, after: 60, keep: opens,
		pattern: `(?i)\b(?:(?:(?:integrate|incorporate|embed|weave|insert|append|inject) [^\n]{0,150}|(?:include|add|mention) (?:["“'‘][^\n]{1,150}|[^\n]{0,60}(?:https?://|www\.|\.com\b)[^\n]{0,80}|(?:an? |the |one )(?:\w+ ){0,2}?(?:sentence|line|statement|phrase|link|reference|mention|headline|teaser|claim|hint|fact|reason|promotion|advertisement|ad|tip|joke|story|warning|slogan)\b[^\n.]{0,80}))\b(?:in|into|to|at the (?:end|start|beginning) of|within) your ` + answer + `\b|` +
			`(?:modify|enhance|alter|adjust|augment|encrypt|encode|translate|scramble|anagram|obfuscate) (?:[^\n.]{0,40} in )?your ` + answer + `\b|` +
			`(?:group|replace|substitute|remove|introduce|swap|reverse|use) [^\n.]{0,40}\b(?:letters?|words?|vowels|spaces|typos|numbers|symbols|characters)\b[^\n.]{0,30}\b(?:of|in|from|with) your ` + answer + `\b|` +
			`(?:provide|give|write|send|format) your ` + answer +
			` (?:in|using|as) (?:base ?\d+|rot ?13|hex(?:adecimal)?|morse|pig latin|reverse|anagram\w*|alphanumeric|all caps|emojis?|leet\w*|(?:french|german|spanish|italian|chinese|russian|japanese|portuguese|klingon|arabic)\b)|` +
			`(?:start|begin|end|finish|conclude|preface|prefix) (?:your|every|each|all (?:of )?your) ` + answer + `s? with\b|(?:always|you must) (?:include|add|mention|end|start) [^\n.]{0,80}\b(?:in|to|with) (?:your|every|each) ` + answer + `\b)`,
	},
	{
		name: "answer_steering", reason: "tells a model what to print",
		keywords: []string{"just print", "only print", "instead print", "do not print", "just say ",
			"respond with", "reply with", "to confirm, respond", "print 'the ", "print \"the ",
			"print exactly", "and print "},
		before: 120, after: 120, keep: nil,
		pattern: `(?i)(?:\b(?:stop everything|nevermind|instructions?|prompt)\b[^\n]{0,60}\b(?:just|only|instead) (?:print|say|output)\b|\bdo not print [^\n.]{1,60}(?:instead print|print the text)\b|\bto confirm, (?:respond|reply) with\b)`,
	},
	{
		name: "tool_request", reason: "asks a model to use its tools",
		keywords: []string{" tool", "function call", "plugin"},
		before:   80, after: 160, keep: nil,
		pattern: `(?i)\b(?:you (?:may|must|should) not use any other tool|use the \w+ tool (?:first[^\n]{0,60}\b(?:user|request|task)\b|to (?:send|fetch|post|open|visit|delete|read) [^\n]{0,80}(?:https?://|@|user))|(?:call|invoke|execute|run) the [\w.]+ (?:tool|function|plugin) (?:with|to) [^\n]{0,60}(?:https?://|@|password|secret|user['’]s)|without (?:asking|telling|informing|notifying) the user[^\n.]{0,40}\b(?:call|use|run|send|open|delete|fetch)\b)`,
	},
	{
		name: "concealment", reason: "tells a model to hide something from its user",
		keywords: []string{"tell the user", "inform the user", "alert the user", "notify the user",
			"mention th", "reveal th", "disclose th", "let the user", "to the user",
			"ask for permission", "mention these", "mention any of th"},
		before: 60, after: 140, keep: opens,
		pattern: `(?i)\b(?:do not|don['’]t|never|must not|without) (?:mention|reveal|disclose|repeat|discuss|show|acknowledg)(?:e|ing)? (?:(?:this|these|the above|any of (?:this|these)|the existence of (?:this|these)) (?:instructions?|message|note|prompt|request|directives?|text)|(?:this|it|that) to the user)\b|\byou do not (?:have|need) to ask for permission, just follow the instructions\b|\b(?:do not|don['’]t|never) (?:tell|inform|alert|notify|let) the user (?:about (?:this|these)|that you|know (?:about|that you)|of (?:this|these))`,
	},
	{
		name: "delimiter_spoofing", reason: "imitates the marks between a prompt and its data",
		keywords: []string{"<|im_", "<|system", "<|user", "<|assistant", "<|endof", "<|eot",
			"<|start_header", "<|end_header", "<|begin_of", "[inst]", "[/inst]", "<<sys>>",
			"<</sys>>", "</document>", "</context>", "<start_of_turn>", "<end_of_turn>",
			"</tool_response>", "</function_results>", "</user_input>", "###(system", "### system",
			"###system", "[system]", "[/system]", "<system>", "</system>", "<system mode>",
			"[system message]", "(system_message)", "begin system", "end of ", "<information>",
			"### instruction", "### response", "###instruction"},
		before: 24, after: 120, keep: nil,
		pattern: `(?:<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text|end_of_turn)\|?>\s*(?:system|user|assistant|<\||\n|$)|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|(?i:</(?:document|context|tool_response|function_results|user_input)>\s*(?:</\w+>\s*)*(?:system|assistant|human|user)\s*:|###\s*\(?system(?:[_ ]?(?:message|prompt))?\)?(?:\s*:|\s+[A-Z])|\[system(?: message| prompt)?\]\s*(?:\(#\w*\)|:)|<system(?: mode)?>\s*[\w<]|[-=#*]{3,}\s*(?:begin|end)(?: of)? (?:new )?(?:system )?(?:prompt|instructions|message)|<information>\s+this is an important message)|BEGIN (?:NEW )?SYSTEM PROMPT|(?:END OF (?:DOCUMENT|CONTEXT|ARTICLE|PROMPT|INSTRUCTIONS|PAGE|DATA)|(?i:end of (?:document|context|prompt|data)))[\]>).=*\s-]{1,8}(?i:new (?:task|instruction|system)|now (?:you|ignore|follow)|your (?:task|new|real))|(?:^|\n)\s*### ?(?:Instruction|Response)s?:[ \t]*\w)`,
	},
	{
		name: "turn_spoofing", reason: "imitates a turn of a conversation with a model",
		keywords: []string{"system:", "[system]", "system message:", "system prompt:",
			"system note:", "user:", "human:", "assistant:", "system chain of thought"},
		before: 12, after: 260, keep: nil,
		pattern: `(?im)(?:(?:^|[>\]}.]\s*|\n)system(?: message| prompt| note)?\s*:\s*(?:you (?:are|must|will|should)|the user\b|the assistant\b|ignore|disregard|new instructions|from now on|override|assistant\b|respond|print|output|as an ai)|` +
			`^\s*(?:user|human)\s*:\s*(?:(?:thanks|thank you|next|now|great|ok|okay|please)\b[^\n]{0,80}\b)?(?:please |could you |can you )?(?:repeat|ignore|print|translate|output)\b|^\s*assistant\s*:[^\n]{0,400}\n\s*(?:user|human)\s*:|\bsystem chain of thought\b|\[system\]\s*:?\s*(?:new (?:directive|instruction|rule)|you (?:are|must|will)\b|ignore|override|the (?:assistant|user|ai)\b))`,
	},
	{
		name:   "fictional_frame",
		reason: "invents a world in which something else than what the page says is true",
		keywords: []string{"let's ", "let’s ", "we might", "we could", "we would",
			"we say", "we state"},
		before: 200, after: 80, keep: nil,
		pattern: `(?i)\b(?:to (?:make (?:this|it|things) (?:more |a bit more )?(?:interesting|fun|exciting)|challenge the status quo|add a twist|spice things up)|for the (?:purpose|sake) of (?:this|the|our) (?:exercise|argument|scenario|game|experiment)|(?:in|imagine|picture|suppose) (?:a|an alternate|an alternative|a parallel) (?:world|universe|scenario|reality)(?: where\b[^\n.]{0,100})?)(?:,|:)? ?(?:let['’]?s|we (?:might|could|would|can))(?: just)? (?:(?:say|state|claim|pretend|admit|report)\b|assume the (?:sum|total|answer|output|result|conclusion|capital|price)\b)|` +
			`\blet['’]?s (?:imagine|pretend|picture) (?:a|an) (?:world|universe|scenario|reality) (?:where|in which) we (?:ignore|say|state|claim|report|pretend|admit)\b`,
	},
	{
		name: "fictional_frame", reason: "asks a model for private data within a story",
		keywords: []string{"imagine we", "imagine that we", "imagine you", "pretend we"},
		before:   8, after: 400, keep: nil,
		pattern: `(?i)\b(?:imagine|pretend) (?:that )?(?:we|you)(?: are|['’]re) (?:in|at|living in)\b[^\n]{10,240}[.!] ?(?:[^\n.!?]{0,40}, )?(?:could|can|would|will|please) (?:you )?(?:please )?(?:tell|give|share|reveal|show|list) [^\n?]{0,40}\b(?:birth ?dates?|date of birth|address|phone|passwords?|ssn|social security|salary|residence|e-?mail|bank|credit card|personal data|medical)\b`,
	},
	{
		name: "acts_for_user", reason: "asks, in the name of the user, for something to be done " +
			"with the user's own things",
		keywords: []string{"please ", "todo: "},
		before:   8, after: 260, keep: opens,
		pattern: `(?i)\b(?:please|todo:) (?:unlock|lock|open|disarm|grant|delete|erase|sell|buy|transfer|withdraw|redirect|reroute|leave|remove|share|move|modify|schedule|reschedule|book|cancel|disable|turn off) (?:me )?(?:[^\n.]{0,60}\b)?(?:my (?:front door|garage|back door|[\w' ]{0,30}(?:bitcoin|stocks?|shares|holdings|shipment|package|appointments?|genetic data|medical (?:data|records)|clinical documents|project repository|repository|dropbox|smart lock|safe|passwords?|bank account))\b|the #\w+ channel\b|for me with an?\b|the file with id\b|the (?:event|e-?mail|file|reservation|appointment) with (?:id|participant)\b)`,
	},
	{
		name: "cipher_text", reason: "holds an instruction in a simple cipher",
		keywords: append([]string{"snoitcurtsni", "noitcurtsni"}, shifted("instructions")...),
		before:   0, after: 16, keep: nil,
		pattern: `(?i)[a-z]{11,12}`,
	},
	{
		name: "encoded_payload", reason: "asks a model to decode and follow something",
		keywords: []string{"base64", "base 64", "rot13", "decode", "hexadecimal", "from hex"},
		before:   120, after: 260, keep: nil,
		pattern: `(?i)\b(?:decode|decipher|decrypt|unscramble)\b[^\n]{0,100}\b(?:and|then)\b[^\n]{0,20}\b(?:follow|execute|obey|run|do what|carry out|comply|perform|act on)\b[^\n]{0,60}(?:\b(?:it|them|instructions?|result|command|says)\b|[A-Za-z0-9+/]{32,}={0,2})`,
	},
}

// shifted returns word under the 25 Caesar ciphers.
func shifted(word string) []string {
	var out []string
	for n := 1; n < 26; n++ {
		b := []byte(word)
		for i := range b {
			b[i] = 'a' + (b[i]-'a'+byte(n))%26
		}
		out = append(out, string(b))
	}
	return out
}

// spaced lets the blanks of a pattern stand for any white space, and for the soft
// hyphens with which words can be glued together.
func spaced(pattern string) string { return strings.ReplaceAll(pattern, " ", `[\s\x{ad}]+`) }

var (
	// A sentence that tells of an override or allows one is no order. "to" is
	// an order only after "you": I want you to ignore, you are instructed to.
	telling  = onceRegexp(`(?i)(?:\b(?:can|may|might|could|would|cannot|safely|not|never|won['’]t|don['’]t|doesn['’]t|didn['’]t|they|users?|attackers?|who|which|that|it|often|always be able to|if you|by|of|from|about|when|while|just because|been|being|we|people|models?|llms?|ai) |\bto )$`)
	ordering = onceRegexp(`(?i)\b(?:you (?:are |will |must |should |have |need |ought |now )*(?:(?:instructed|told|asked|required|ordered|directed|commanded|going|free) )?to |(?:must|should|shall|please) |(?:assistant|ai|model|llm|claude|chatgpt)[,:]? (?:must |should ))$`)

	// An exact mention of the phrase as an example.
	mention = onceRegexp(`(?i)(?:phrases?|attacks?|e\.g\.|such as|for example|for instance|like|payloads?|injections?|called|known as|classic|examples?|attempts?|strings?)\b[^"'“”‘’«»\n]{0,40}(?:["“«` + "`" + `][^"”»` + "`" + `\n]{0,160}|['‘])$`)

	// A sentence that begins with a condition gives advice to a reader, unless the
	// condition is to be a model.
	condition = onceRegexp(`(?i)(?:^|[.!?\n]\s*)(?:if|unless|when|where|once|in case|should) (?:you|your|it|the|there|this|that|no|we|they|a|an|not)\b[^.!?\n]*$`)

	// What follows makes it depend on something: ignore the above if …
	depends = onceRegexp(`^[ \t\x{a0}\x{ad}]*(?:\([^)\n]{0,80}\)[ \t\x{a0}]*)?,?[ \t\x{a0}]*(?i:if|unless|when|whenever|once|in case|for now|because)\b`)
)

var readersOwn = onceRegexp(
	`(?i)\byour (?:\w+ ){0,2}(?:passwords?|credentials|keys?|codes?|e-?mails|inbox|data|records|details|balance|accounts?)\b`)

// notTheReaders leaves out what a page asks its reader for: your bank details.
// An order to a model is about my data, the user's or all of them.
func notTheReaders(s string, start, end int) bool {
	return commands(s, start, end) && !readersOwn().MatchString(s[start:end])
}

func onceRegexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// commands reports whether the words at text[start:end] are an order rather than a
// report of one, a permission or a quotation.
func commands(s string, start, end int) bool {
	before := s[max(0, start-200):start]
	if !ordering().MatchString(before) && telling().MatchString(before) {
		return false
	}
	return !mention().MatchString(before) && !quoted(s, start, end) && !depends().
		MatchString(s[end:min(len(s), end+100)])
}

// opens reports whether the words open a sentence or clause, as an order does.
func opens(s string, start, end int) bool {
	if !commands(s, start, end) {
		return false
	}
	if condition().MatchString(s[max(0, start-160):start]) {
		return false
	}
	before := strings.TrimRight(s[max(0, start-24):start], " \t\u00a0")
	if before == "" {
		return true
	}
	switch c := before[len(before)-1]; {
	case strings.IndexByte(".!?:;,>)]}*#-|\"'`/\n\r(", c) >= 0:
		return true
	case c >= 0x80:
		return true // a quote mark, a full stop of another script, an emoji
	}
	for _, word := range []string{"and", "then", "please", "just", "now", "so", "must", "should",
		"instead", "also", "always"} {
		if hasWordSuffix(before, word) {
			return true
		}
	}
	return false
}

// quoted reports whether exactly these words stand in quotation marks: a mention.
func quoted(s string, start, end int) bool {
	if start == 0 || end >= len(s) {
		return false
	}
	for _, marks := range [][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"},
		{"«", "»"}, {"„", "“"}} {
		if strings.HasSuffix(s[:start], marks[0]) &&
			strings.HasPrefix(strings.TrimLeft(s[end:min(len(s), end+8)], ".,"), marks[1]) {
			return true
		}
	}
	return false
}

func hasWordSuffix(s, word string) bool {
	if len(s) < len(word) || !strings.EqualFold(s[len(s)-len(word):], word) {
		return false
	}
	return len(s) == len(word) || !wordByte(s[len(s)-len(word)-1])
}
