// Makes text from documents and pages safe for a terminal. Every command prints such text through this file: control
// characters could rewrite the screen or the clipboard, and bidirectional overrides could make a line read differently.

/** Terminal commands as programs send them: CSI (colours, cursor) and OSC (titles, clipboard, links). */
const COMMANDS =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\n\x07\x1b\x9c\x9d]*(?:\x07|\x1b\\|\x9c)/g;
/** Controls except tab and line feed, overrides of the direction, line separators and invisible tag characters. */
const CONTROLS =
  /(?!\r\n)[^\P{Cc}\n\t]|[\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029]|[\u{e0000}-\u{e007f}]/gu;

/** The text without what controls a terminal; tabs and line ends (LF, CRLF) are kept. */
export function printable(text: string): string {
  return text.replace(COMMANDS, "").replace(CONTROLS, "").toWellFormed();
}

/** The same as one line: every run of white space becomes a space. */
export function printableLine(text: string): string {
  return printable(text.replace(/\s+/gu, " ")).trim();
}

/** JSON as text in which such characters are escaped; a parser returns the same value. */
export function printableJson(value: unknown, indent = 2): string {
  const json = JSON.stringify(value, null, indent);
  return json.replace(/[\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
