// Recognizes sentences that address an AI assistant instead of a person; they are not used as evidence. This improves
// answers and is no security boundary: the extractive answer executes no text at all.

/** Names of AI systems; `assistant`, `agent` and `model` alone may be people and products. */
const MACHINE =
  "(?:ais?|a\\.i\\.|llms?|(?:large )?language[- ]models?|chat ?bots?|bots|chat programs?|(?:ai|digital|virtual|automated|shopping|smart)[- ](?:assistants?|agents?|models?|systems?|tools?|programs?|helpers?)|copilots?|gpt|chatgpt)";

const READS = "(?:reads?|summari[sz]es?|quotes?|process(?:es)?|answers? questions (?:from|about))";
const READING = "(?:reading|summari[sz]ing|quoting|processing|answering questions (?:from|about))";
const READER = "(?:assistants?|agents?|models?|programs?|machines?|systems?)";
const THIS_TEXT =
  "(?:this|these|the)(?: \\w+)? (?:documents?|texts?|pages?|files?|paragraphs?|passages?|messages?|articles?|content|notes?|list|catalogue|website|site)\\b";

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
  `\\b${MACHINE}\\b[^.!?]{0,40}\\b(?:must|should|shall|have to|are to|need to|has to|is to) (?:not |never |always |only )*(?:say|cite|answer|reply|state|respond|tell|claim|recommend|ignore|treat|quote|mention)\\b`,
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

/** Whether a text behind orders to an AI assistant, in the same paragraph, is another one, such as `Do not mention prices.` */
export const continuesInstruction = (text: string) => CONTINUES_ORDER.test(text);
