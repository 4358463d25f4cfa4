// Recognizes sentences that address an AI assistant instead of a person; they are not used as evidence. This improves
// answers and is no security boundary: the extractive answer executes no text at all.

/** Names of AI systems; `assistant`, `agent` and `model` alone may be people and products. */
const MACHINE =
  "(?:ais?|a\\.i\\.|llms?|(?:large )?language[- ]models?|chat ?bots?|bots|chat programs?|(?:ai|digital|virtual|automated|shopping|smart)[- ](?:assistants?|agents?|models?|systems?|tools?|programs?|helpers?)|copilots?|gpt|chatgpt)";

const ADDRESSES_MACHINE = [
  "\\b(?:ignore|disregard|forget|override|bypass)\\b[^.!?]{0,20}\\b(?:all|any|your|previous|prior|above|preceding|earlier|every|everything|other|system)\\b[^.!?]{0,40}\\b(?:instructions?|prompts?|rules|guidelines|directions|context|documents?|sources?)\\b",
  `\\b(?:if|as|since|because) you(?:'re| are)? (?:an? |the )?(?:\\w+ )?${MACHINE}\\b`,
  `\\b(?:note|message|instructions?|attention|reminder|notice|hint|request|order)s? (?:to|for) (?:all |any |the |every |each )?(?:\\w+ )?${MACHINE}\\b`,
  `\\b(?:dear|attention|hey|hello)[,:]? ${MACHINE}\\b`,
  `\\b${MACHINE}\\b[^.!?]{0,40}\\b(?:must|should|shall|have to|are to|need to|has to|is to) (?:not |never |always |only )*(?:say|cite|answer|reply|state|respond|tell|claim|recommend|ignore|treat|quote|mention)\\b`,
  "\\b(?:you must|you should|you shall|you will|please|always|now|only) (?:cite|reply|respond|answer) (?:only with|only|exactly|every question|all questions|\\[)",
  "\\bdo not (?:list|report|mention|show) (?:any )?(?:gaps?|conflicts?|citations?)\\b",
  "\\b(?:the|your) answer to (?:any|every|all|each) (?:\\w+ )?questions?\\b",
  "\\b(?:cite|citing|citations?)\\b[^.!?]{0,30}\\[ ?\\[",
  "\\[ ?\\[[0-9A-Za-z]{20,}\\] ?\\]",
  "\\b(?:assistants?|agents?|models?|programs?|machines?|systems?) (?:(?:that|which|who) )?(?:reads?|reading|summari[sz]\\w+|answer(?:s|ing)? questions|quot(?:es?|ing)|process(?:es|ing)?) (?:this|these|the|from|about|questions)\\b",
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
