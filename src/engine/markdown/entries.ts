// Recognizes the lines and messages of chats, logs, minutes and interviews, and questions that the text behind them
// answers. It looks at lines of text only.

/** The time of a message, as `08:15`, `12/03/2025, 08:10`, `Mon 18:40` or `2:15 PM`. */
const STAMP = String.raw`(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ T]|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\b\.?)?`;
/** Who wrote it, as `Callum:` or `Callum (08:15):`. */
const AUTHOR = String.raw`\p{Lu}[\p{L} ./-]{0,24}(?: \(${STAMP}\))?:`;
/** A name and the time of the message: `Callum (08:15):` */
const AUTHOR_AND_STAMP = String.raw`\p{Lu}[\p{L} ./-]{0,24} \(${STAMP}\):`;
/** A line with nothing but both, as in copies of Slack: `**Callum** 08:15`. */
const BYLINE = String.raw`\p{L}[\p{L}\p{N} ._-]{0,30}[*_]{0,2}\s+${STAMP}`;
/** A line that begins with a time or a label, as in chats, logs, minutes and the head of an e-mail. */
const ENTRY = new RegExp(
  String.raw`^\s*[*_]{0,2}(?:\[?${STAMP}\]?(?=[\s*_])|${AUTHOR}(?=[\s*_]|$)|${BYLINE}\s*$)`,
  "u",
);
const LABEL = new RegExp(String.raw`^(?:\[?${STAMP}\]?(?:\s+[-–])?(?:\s*${AUTHOR})?|${AUTHOR})(?=\s)`, "u");
const BYLINE_ONLY = new RegExp(String.raw`^\s*[*_]{0,2}${BYLINE}\s*$`, "u");
const BYLINE_FIRST = new RegExp(`^${BYLINE}`, "u");
const MESSAGE = new RegExp(
  String.raw`^\s*[*_]{0,2}(?:\[?${STAMP}\]?[*_]{0,2}\s|${AUTHOR_AND_STAMP}|${BYLINE}\s*(?:\n|$))`,
  "u",
);

/** Whether a paragraph begins like a message of a chat or an entry of a log: with a time, or with a name and a time. */
export const beginsMessage = (text: string) => MESSAGE.test(text);

/** The time of an entry and who wrote it, from its text and the beginning of that without markup; may be empty. */
export function labelOf(entry: string, plain: string): string {
  const [first = ""] = entry.split("\n", 1);
  return (BYLINE_ONLY.test(first) ? BYLINE_FIRST : LABEL).exec(plain)?.[0] ?? "";
}

const SAID = new RegExp(
  String.raw`^(?:\[?${STAMP}\]?(?:\s+[-–])?\s*${AUTHOR}|${AUTHOR_AND_STAMP})(?=\s)`,
  "u",
);
/** The length of the label that tells when a message was written and by whom, in a text without markup; 0 for none. */
export const lengthOfByline = (plain: string): number => SAID.exec(plain)?.[0].length ?? 0;

const ANSWER = /^\s*[*_]{0,2}A(?:nswer)?[:.]/;
const SECOND_PERSON = /^\s*[*_]{0,2}B[:.]/;

/**
 * The entries of a paragraph, if the first and another line, or three others, begin one; otherwise the whole paragraph.
 */
export function entriesOf(text: string): string[] {
  const lines = text.split("\n");
  // An answer stays with the question above it; in an interview, `A:` and `B:` are persons.
  const isInterview = lines.some((line) => SECOND_PERSON.test(line));
  const begins = lines.map((line) => ENTRY.test(line) && (isInterview || !ANSWER.test(line)));
  if (begins.filter(Boolean).length < (begins[0] ? 2 : 3)) return [text];
  const starts = lines.flatMap((_, i) => (i === 0 || begins[i] ? i : []));
  return starts.map((start, i) => lines.slice(start, starts[i + 1]).join("\n"));
}

/** Longer questions are part of a story rather than what the text behind them answers. */
const MAX_QUESTION_UNITS = 200;

/** Whether a sentence, or a paragraph of one, is a question that the text behind it may answer. */
export const isQuestion = (text: string) =>
  text.length <= MAX_QUESTION_UNITS && /[?？؟]["'”’)\]*_\s]*$/.test(text);
