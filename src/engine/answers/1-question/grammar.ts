// Words and phrases by which the structure of an English question is recognized, as parts of regular expressions.

export const QUESTION_WORD = "who|whom|whose|what|which|when|where|why|how";

export const AUXILIARY =
  "is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|isn't|aren't|wasn't|don't|doesn't|didn't|can't|won't|shouldn't";

export const PREPOSITION =
  "at|by|for|from|in|into|of|on|to|under|until|up to|since|with|within|after|before|per|over|above|below|between|during|without|about";

export const PRONOUN = "i|we|you|he|she|it|they|there";

export const DETERMINER =
  "the|a|an|my|our|your|his|her|its|their|this|that|these|those|any|all|each|every|one";

const FUNCTION_WORD = `${QUESTION_WORD}|${AUXILIARY}|${PREPOSITION}|${PRONOUN}|${DETERMINER}|and|or|but|if|unless|than|as|not|more|less|also|only|always|sometimes|often`;

/** A word that may be part of a noun phrase. */
export const CONTENT_WORD = `(?!(?:${FUNCTION_WORD})\\b)[\\p{L}\\p{N}'’-]+`;

export const PLURAL = `(?:${CONTENT_WORD}(?<![sui])s|people|children)`;

/** `and is parking free` begins a part; `and have heating` and `and are heated` continue what was asked before. */
const BEGINS_YES_NO = [
  `(?:${AUXILIARY})\\s+(?:${PRONOUN})\\b`,
  `(?!ha[sd]\\b|have\\b)(?:${AUXILIARY})\\s+(?:(?:${DETERMINER})\\b|(?-i:\\p{Lu})|${PLURAL}\\s)`,
  `(?:is|are|was|were|do|does|did)\\s+(?!\\S+ed\\s)${CONTENT_WORD}\\s+${CONTENT_WORD}`,
].join("|");

/** The first words of a question, also behind `and`. */
export const BEGINS_QUESTION = `(?:(?:${PREPOSITION})\\s+)?(?:${QUESTION_WORD})\\b|${BEGINS_YES_NO}|(?:tell|show|give|explain|describe|list|name)\\s+`;

/** Matches what one of the patterns matches, without regard to capitals. */
export const anyOf = (...patterns: readonly RegExp[]) =>
  new RegExp(patterns.map(({ source }) => source).join("|"), "iu");

/** A question whose first question word is one of these. */
export const first = (words: string) =>
  new RegExp(`^(?:(?!\\b(?:${QUESTION_WORD})\\b).)*\\b(?:${words})\\b`, "i");

/** Behind the last word of a phrase: `rent` ends one in `the rent for May` and none in `the rent contract`. */
export const PHRASE_ENDS = `(?=\\W*$|[,;:?!]|\\s+(?:${FUNCTION_WORD}|applies|apply|due|required|needed|allowed|recommended|charged|paid)\\b)`;

/**
 * A question for one of these nouns: `what is the N`, `which N does …`, or key words such as `N of the lamp`; not `what
 * is an N?`.
 */
export function asked(nouns: string): RegExp {
  const phrase = `(?:(?:${DETERMINER}) )?(?:${CONTENT_WORD} ){0,3}?(?:${nouns})${PHRASE_ENDS}`;
  const isSentence = `(?:list|name|enumerate)\\b|.*\\b(?:${QUESTION_WORD}|${AUXILIARY}|${PRONOUN}|if)\\b`;
  return new RegExp(
    `\\b(?:what|which)(?:['’]s| is| are| was| were)? (?!an? [\\p{L}-]+\\W*$)${phrase}|^(?!${isSentence}).*\\b(?:${nouns})(?=\\W*$|\\s+(?:${PREPOSITION})\\b)`,
  );
}
