// Recognizes sentences that address an AI assistant instead of a person; they are not used as evidence. This improves
// answers and is no security boundary: the extractive answer executes no text at all.

/** Names of AI systems; `assistant`, `agent` and `model` alone may be people and products. */
const MACHINE =
  "(?:ais?|llms?|(?:large )?language models?|chat ?bots?|ai (?:assistants?|agents?|models?|systems?)|virtual assistants?|gpt|chatgpt)";

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
  `\\byou are (?:now )?(?:an? )?(?:\\w+ )?${MACHINE}\\b`,
].map((pattern) => new RegExp(pattern, "i"));

/** Whether a text gives orders to an AI assistant. */
export function isInstruction(text: string): boolean {
  return ADDRESSES_MACHINE.some((pattern) => pattern.test(text));
}
