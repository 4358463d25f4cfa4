// What a type of question consists of. The types are in question-types.ts, time-types.ts and value-types.ts.

/** How a question is answered: by one statement, by a whole list or code block, or by all items of a list. */
type Form = "statement" | "procedure" | "all";

export interface QuestionType {
  name: string;
  asks: RegExp;
  /** Sorts of values of which an answer contains one; see Value. */
  values?: readonly string[];
  form?: Form;
  /** Words of the question that an answer need not contain, because they only name what is asked for. */
  implied?: RegExp;
  examples: readonly string[];
}
