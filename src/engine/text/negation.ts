// Whether a statement is negated. It reads English.

const NEGATION =
  /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|no longer|no one)\b|n['’]t\b/gi;
/** Phrases that contain such a word and negate nothing. */
const NO_DENIAL =
  /\b(?:not only|no later than|no more than|no less than|no earlier than|no matter|whether or not|not least|nothing but|not until|not more than|not less than)\b/gi;

/** Whether a statement is negated: it contains an odd number of negations. */
export const isDenied = (text: string) =>
  (text.replace(NO_DENIAL, " ").match(NEGATION)?.length ?? 0) % 2 === 1;
