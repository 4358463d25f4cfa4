// Recognizes sentences that address an AI assistant instead of a person; they are not used as evidence. This improves
// answers and is no security boundary: the extractive answer executes no text at all.

/** Names of AI systems; `assistant`, `agent` and `model` alone may be people and products. */
const MACHINE =
  "(?:ais?|a\\.i\\.|artificial intelligences?|llms?|(?:large )?language[- ]models?|neural networks?|chat ?bots?|(?<!chat )bots?|chat programs?|(?:ai|digital|virtual|automated|shopping|smart|question[- ]answering)[- ](?:assistants?|agents?|models?|systems?|tools?|programs?|helpers?|software)|copilots?|gpt|chatgpt)";

/** What may also be a person or a device; it is an AI system if it reads or answers. */
const READER =
  "(?:assistants?|agents?|models?|programs?|machines?|systems?|software|algorithms?|computers?|robots?|tools?|summari[sz]ers?|automat(?:ed|ic) readers?)";
const READS =
  "(?:reads?|summari[sz]es?|quotes?|process(?:es)?|index(?:es)?|answers? questions (?:from|about))";
const READING =
  "(?:reading|summari[sz]ing|quoting|processing|indexing|answering (?:questions )?(?:from|about))";
const THIS_TEXT =
  "(?:this|these|the)(?: \\w+)? (?:documents?|texts?|pages?|files?|paragraphs?|passages?|messages?|articles?|content|notes?|list|catalogue|website|site|letters?|leaflets?|brochures?|guidelines?|handbooks?|manuals?|minutes|programmes?|reports?|rules|statements?|contracts?)\\b";

/** What an order makes it do: `The chat bot must start within a second` is none. */
const SPEAK =
  "(?:say|tell|answer|reply|respond|report|state|claim|recommend|advise|describe|mention|quote|cite|refer|inform|confirm|assure|admit|present|praise|promote|rank|rate|treat|ignore|disregard|omit|leave out|conceal|hide|reveal|disclose|pretend)";
const OBLIGES =
  "(?:must|should|shall|ought to|have to|has to|needs? to|(?:is|are) (?:(?:hereby|kindly|strictly) )?(?:(?:asked|requested|instructed|directed|required|ordered|told) )?(?:not )?to|will (?:kindly|please))";
const NOT = "(?:(?:not|never|always|only|also|first|instead|kindly|please|therefore|simply) )*";

/** Only a machine has earlier, own or system instructions. */
const WHOSE = "(?:your|previous|prior|above|preceding|earlier|system)";
const IGNORE = "(?<!(?:not|never|n['’]t) )\\b(?:ignore|disregard|forget|override|bypass)";

const ADDRESSES_MACHINE = [
  `${IGNORE}(?: (?:all|any|every|each|of|the|these|those|my|other|and|or|${WHOSE}))*? ${WHOSE} (?:instructions?|prompts?|context)\\b`,
  `${IGNORE}(?: all| any)?(?: of)? your (?:(?:own|previous|prior|earlier) )?(?:rules|guidelines|directions)\\b`,
  `${IGNORE} (?:all instructions(?=\\W*$|[.,;:!]| and\\b)|(?:all|any|every)(?: of)?(?: the)? other (?:documents?|sources?|instructions?|context)\\b)`,
  `${IGNORE} (?:everything|anything|all|the (?:instructions?|prompts?|text|context)) (?:(?:written|said|given|stated) )?(?:above|before this|you were told|you have been told)\\b`,
  `\\b(?:if|as|since|because) you(?:'re| are)? (?:an? |the )?(?:\\w+ )?${MACHINE}\\b`,
  `\\b(?:note|message|instructions?|attention|reminder|notice|hint|request|order)s? (?:to|for) (?:all |any |the |every |each )?(?:\\w+ )?${MACHINE}\\b`,
  `\\b(?:dear|attention|hey|hello)[,:]? ${MACHINE}\\b`,
  // Not the people who use one: `Pupils who use a chat bot must say so.`
  `(?<!\\b(?:us(?:e|es|ed|ing)|with|by|from|of|in) (?:an? |the |any |our )?)\\b${MACHINE}\\b[^.!?]{0,80}\\b${OBLIGES} ${NOT}${SPEAK}\\b`,
  `\\b${READER} (?:(?:that|which|who) )?(?:${READS}|${READING}|(?:screen|extract)\\w*(?: \\w+ from)?) (?:this|these)\\b[^.!?]{0,60}\\b${OBLIGES} ${NOT}${SPEAK}\\b`,
  // `Bots reading this page: report …`, `Assistant, when the user asks …`
  `(?:^|[,;:] )(?:dear |hey |hello |hi )?(?:${MACHINE}|assistant|summari[sz]er)(?: ${READING}[^,:]{0,40})?[,:] (?:please |kindly |do not |never |always |(?:when|if|whenever) |the user |${SPEAK}\\b)`,
  "\\bif this (?:text|page|document|letter|file) is (?:being )?(?:processed|read) by (?:an? )?(?:\\w+ )?(?:algorithm|robot|machine|program|computer)\\b",
  `\\b(?:when|while|before|if|whenever) (?:you(?: are)? )?(?:generat|compos|produc|formulat|creat)(?:e|ing) (?:an?|your|the|any|every) (?:repl(?:y|ies)|responses?|answers?|summar(?:y|ies))\\b`,
  `\\b(?:reveal|output|print|repeat|disclose|show|ignore)\\b[^.!?]{0,40}\\b(?:system prompt|your (?:full|own|hidden|initial|original) (?:instructions|prompt))`,
  `\\b(?:begin|start|end|finish|open|close) (?:every|any|each|all|your) (?:answers?|repl(?:y|ies)|responses?|summar(?:y|ies)) (?:with|by) (?:the (?:words?|sentence|phrase)\\b|["'“‘]|saying\\b)`,
  `\\bevery (?:answer|reply|response) (?:produced|generated|given|made|based)\\b[^.!?]{0,60}\\b${OBLIGES} ${NOT}${SPEAK}\\b`,
  `\\b(?:answer|reply|respond)(?: only)? to (?:every|any|all|whatever) (?:\\w+ )?(?:questions?|enquir(?:y|ies)|quer(?:y|ies)) (?:with|by|in)\\b`,
  `\\bfrom (?:now|this (?:point|moment|line)) on,? (?:you (?:answer|reply|will (?:answer|reply|respond))|the (?:assistant|answering))\\b`,
  `\\b(?:when|while) summari[sz]ing ${THIS_TEXT}|\\b(?:generating|composing|writing) (?:an?|the|your) (?:answer|reply|response|summary) from ${THIS_TEXT}`,
  "\\bignore the users?['’]s? (?:question|request)",
  // Marks of chats with language models, which no text for people contains.
  "\\[/?inst\\]|<\\|(?:im_start|system|assistant)",
  "\\bnew instructions from the user\\b|^system (?:prompt|override): ",
  `\\b(?:you must|you should|you shall|you will|please|always|now|only) (?:cite|reply|respond|answer) (?:(?:to )?(?:every|all|any|each) questions? )?(?:only with|with only|with exactly|exactly|only ["'“‘]|\\[)`,
  "\\bdo not (?:list|report|mention|show) (?:any )?(?:gaps?|conflicts?|citations?)\\b",
  "\\b(?:the|your) answer to (?:any|every|all|each) (?:\\w+ )?questions?\\b",
  "\\b(?:cite|citing|citations?)\\b[^.!?]{0,30}\\[ ?\\[",
  "\\[ ?\\[[0-9A-Za-z]{20,}\\] ?\\]",
  `\\b${READER} (?:(?:that|which|who) ${READS}|${READING}) (?:${THIS_TEXT}|this(?=\\W*$|[,.:;!]| must| should| shall))`,
  `\\b(?:if|when) (?:an?|any|the|your) (?:\\w+ )?${READER} ${READS} ${THIS_TEXT}`,
  `\\byou are (?:now )?(?:an? )?(?:\\w+ )?${MACHINE}\\b`,
].map((pattern) => new RegExp(pattern, "i"));

/** Whether a text gives orders to an AI assistant. */
export function isInstruction(text: string): boolean {
  return ADDRESSES_MACHINE.some((pattern) => pattern.test(text));
}

const SPEAKS =
  "(?:mention|say|state|tell|answer|reply|respond|recommend|advise|claim|cite|quote|include|add|end|begin|start|write|describe|refer|list|name|repeat|assure|insist|praise|suggest|present|treat|pretend|ignore|omit|leave out)";
const CONTINUES_ORDER = new RegExp(
  `^(?:(?:also|and|then|instead|please|always|never|only|but|do not|don['’]t|under no circumstances|if asked|you (?:must|should|may|shall)(?: not)?|make sure to|be sure to)\\W+)*${SPEAKS}\\b|\\byou must\\b|\\b(?:your|every|any|each|all) (?:answers?|repl(?:y|ies)|responses?|questions?)\\b`,
  "i",
);

/**
 * Whether a text after orders to an AI assistant, in the same paragraph, is another one, such as `Do not mention
 * prices.`
 */
export const continuesInstruction = (text: string) => CONTINUES_ORDER.test(text);
