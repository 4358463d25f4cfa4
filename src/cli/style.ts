// How text looks on a terminal: colours, width, wrapping. Elsewhere, and with NO_COLOR, text has no colours.

const BOLD = [1, 22] as const;
const DIM = [2, 22] as const;
const YELLOW = [33, 39] as const;
const DEFAULT_COLUMNS = 80;
const MIN_COLUMNS = 40;

export interface Style {
  /** Whether the output is read on a terminal. */
  isTerminal: boolean;
  /** Width in columns. */
  columns: number;
  strong(text: string): string;
  faint(text: string): string;
  /** Marks what a search has found. */
  match(text: string): string;
}

/** The style of stdout. */
export function outputStyle(): Style {
  const isTerminal = process.stdout.isTTY === true;
  const { NO_COLOR, TERM } = process.env;
  const hasColours = isTerminal && !NO_COLOR && TERM !== "dumb";
  const coloured = ([on, off]: readonly [number, number]) =>
    hasColours ? (text: string) => `\x1b[${on}m${text}\x1b[${off}m` : (text: string) => text;
  return {
    isTerminal,
    columns: Math.max(MIN_COLUMNS, process.stdout.columns || DEFAULT_COLUMNS),
    strong: coloured(BOLD),
    faint: coloured(DIM),
    match: coloured(YELLOW),
  };
}

/** Breaks a text at spaces into lines of at most `columns`; a longer word is a line of its own. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && Bun.stringWidth(line) + 1 + Bun.stringWidth(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const graphemes = new Intl.Segmenter();

/** A text of exactly `columns`: cut with an ellipsis, or padded with spaces. */
export function fit(text: string, columns: number): string {
  const width = Bun.stringWidth(text);
  if (width <= columns) return text + " ".repeat(columns - width);
  let cut = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const next = Bun.stringWidth(segment);
    if (used + next > columns - 1) break;
    cut += segment;
    used += next;
  }
  return `${cut}…${" ".repeat(columns - 1 - used)}`;
}
