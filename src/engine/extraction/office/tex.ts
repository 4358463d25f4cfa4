// Reads a LaTeX source as Markdown: headings, lists, emphasis, code, tables and formulas. Commands that it does not
// know are dropped, their text stays.

import { normalized } from "../../../kernel/text.ts";
import { trimCharacters } from "../shared/text.ts";
import { fenceOf } from "./html.ts";

const LEVELS: Record<string, number> = {
  part: 1,
  chapter: 1,
  section: 2,
  subsection: 3,
  subsubsection: 4,
  paragraph: 5,
  subparagraph: 6,
};
const VERBATIM = /^(?:verbatim|lstlisting|minted|Verbatim|alltt)\*?$/;
const FORMULA = /^(?:equation|align|gather|multline|eqnarray|displaymath|math|flalign)\*?$/;
const LIST = /^(?:itemize|enumerate|description)$/;
const DROPPED_ENVIRONMENT = /^(?:comment|tikzpicture|thebibliography|filecontents)\*?$/;
/** Commands whose argument is no text; one that begins with another one comes first. */
const WITHOUT_TEXT = (
  "label vspace hspace includegraphics bibliographystyle bibliography pagestyle thispagestyle setlength usepackage " +
  "documentclass input include newcommand renewcommand setcounter addcontentsline graphicspath hypersetup index centering"
).split(" ");
const DROPPED = new RegExp(
  String.raw`\\(?:${WITHOUT_TEXT.join("|")})\*?(?:\[[^\][]{0,500}\])*(?:\{[^{}]{0,500}\})*`,
  "g",
);
const SYMBOLS: Record<string, string> = {
  ldots: "…",
  dots: "…",
  textbackslash: "\\",
  LaTeX: "LaTeX",
  TeX: "TeX",
  ss: "ß",
  ae: "æ",
  AE: "Æ",
  o: "ø",
  O: "Ø",
  aa: "å",
  AA: "Å",
  oe: "œ",
  l: "ł",
  L: "Ł",
  euro: "€",
  copyright: "©",
  S: "§",
  textdegree: "°",
};
const ACCENTS: Record<string, string> = {
  "`": "\u0300",
  "'": "\u0301",
  "^": "\u0302",
  "~": "\u0303",
  '"': "\u0308",
  c: "\u0327",
  v: "\u030c",
  "=": "\u0304",
};

/** The Markdown lines of a source. The first is the title, if it has one. */
export function texOf(lines: readonly string[]): string[] {
  const source = withoutComments(lines).join("\n");
  const titleText = argumentsOf(source, "title")[0];
  const start = source.indexOf("\\begin{document}");
  const end = source.indexOf("\\end{document}");
  const body = source.slice(start < 0 ? 0 : start + 16, end < 0 ? undefined : end);
  const title = titleText === undefined ? [] : [`# ${inline(titleText)}`, ""];
  const author = argumentsOf(source, "author")[0];
  if (author !== undefined && start >= 0) title.push(inline(author.replace(/\s*\\and\b\s*/g, ", ")), "");
  return [...title, ...blocksOf(body.split("\n"))];
}

/** The lines without comments; those of code stay. */
function withoutComments(lines: readonly string[]): string[] {
  let open: string | undefined;
  return lines.map((line) => {
    if (open !== undefined) {
      if (line.includes(`\\end{${open}}`)) open = undefined;
      return line;
    }
    const text = line.replace(/(^|[^\\])%.*$/, "$1");
    const name = /\\begin\{(\w+\*?)\}/.exec(text)?.[1] ?? "";
    if (VERBATIM.test(name) && !text.includes(`\\end{${name}}`)) open = name;
    return text;
  });
}

interface State {
  out: string[];
  /** Open lists, the innermost last. */
  lists: { isNumbered: boolean; count: number }[];
}

function blocksOf(lines: readonly string[]): string[] {
  const state: State = { out: [], lists: [] };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trim();
    const begin = /^(.*?)\\begin\{(\w+\*?)\}(.*)$/.exec(line);
    if (!begin) {
      writeLine(line, state);
      continue;
    }
    const [, before = "", name = "", rest = ""] = begin;
    if (before.trim() !== "") writeLine(before, state);
    if (
      !(VERBATIM.test(name) || FORMULA.test(name) || DROPPED_ENVIRONMENT.test(name) || /^tabular/.test(name))
    ) {
      if (LIST.test(name)) state.lists.push({ isNumbered: name === "enumerate", count: 0 });
      else if (name === "abstract") state.out.push("", "**Abstract**", "");
      const remaining = rest.replace(/^(?:\[[^\][]*\]|\{[^{}]*\})+/, "");
      if (remaining.trim() !== "") writeLine(remaining, state);
      continue;
    }
    const ending = `\\end{${name}}`;
    const inner = [rest];
    while (!inner.at(-1)!.includes(ending) && at + 1 < lines.length) inner.push(lines[++at]!);
    const last = inner.pop()!;
    const [text = "", after = ""] = [last.split(ending)[0], last.slice(last.indexOf(ending) + ending.length)];
    if (last.includes(ending)) inner.push(text);
    else inner.push(last);
    state.out.push("", ...environment(name, inner), "");
    if (last.includes(ending) && after.trim() !== "") writeLine(after.trim(), state);
  }
  return state.out;
}

/** The lines of a code block, formula or table. */
function environment(name: string, inner: string[]): string[] {
  if (VERBATIM.test(name)) {
    const [, options = "", language = ""] = /^(\[[^\]]*\])?(?:\{(\w+)\})?/.exec(inner[0]!.trim()) ?? [];
    const named = language || (/language=(\w+)/i.exec(options)?.[1] ?? "");
    if (/^(?:\[[^\]]*\]|\{[^{}]*\})*$/.test(inner[0]!.trim())) inner.shift();
    return [fenceOf(inner.join("\n"), named.toLowerCase())];
  }
  if (FORMULA.test(name)) {
    const formula = inner.join("\n").replace(/\\label\{[^{}]*\}/g, "");
    return [`$$${trimCharacters(formula, " \n")}$$`];
  }
  if (!/^tabular/.test(name)) return [];
  const cells = inner.join(" ").replace(/^\s*(?:\{[^{}]*\}|\[[^\]]*\])+/, "");
  const rows = cells
    .replace(/\\(?:hline|toprule|midrule|bottomrule)\b|\\c(?:line|midrule)(?:\([lr]+\))?\{[^{}]*\}/g, "")
    .split(/\\\\(?:\[[^\]]*\])?/)
    .map((row) => row.split(/(?<!\\)&/).map((cell) => inline(cell).trim().replace(/\|/g, "\\|")))
    .filter((row) => row.some((cell) => cell !== ""));
  return rows.flatMap((row, index) => {
    const written = `| ${row.join(" | ")} |`;
    return index === 0 ? [written, `|${" --- |".repeat(row.length)}`] : [written];
  });
}

/** A longer line is text: each heading in it would divide the rest again. */
const MAX_LINE = 10_000;

const HEADING = `\\\\(${Object.keys(LEVELS).join("|")})\\*?(?:\\[[^\\]]*\\])?\\{`;
const BEGINS_HEADING = new RegExp(`^${HEADING}`);
/** What begins a line of its own, also in the middle of one. */
const BEGINS_LINE = new RegExp(`(?<=.)(?:${HEADING}|\\\\end\\{)`);

function writeLine(line: string, { out, lists }: State): void {
  const next = line.length <= MAX_LINE ? line.search(BEGINS_LINE) : -1;
  if (next > 0 && !BEGINS_HEADING.test(line) && !line.startsWith("\\end{")) {
    writeLine(line.slice(0, next).trim(), { out, lists });
    writeLine(line.slice(next), { out, lists });
    return;
  }
  const heading = BEGINS_HEADING.exec(line);
  if (heading && line.length <= MAX_LINE) {
    const [text = "", after = ""] = bracedAt(line, heading[0].length - 1);
    out.push("", `${"#".repeat(LEVELS[heading[1]!]!)} ${inline(text)}`, "");
    if (after.trim() !== "") writeLine(after.trim(), { out, lists });
    return;
  }
  if (/^\\end\{/.test(line) && line.length <= MAX_LINE) {
    if (LIST.test(/^\\end\{(\w+)/.exec(line)?.[1] ?? "")) lists.pop();
    const after = line.replace(/^\\end\{[^{}]*\}/, "").trim();
    out.push("");
    if (after !== "") writeLine(after, { out, lists });
    return;
  }
  for (const [index, part] of line.split(/\\item\b\s*/).entries()) {
    const list = lists.at(-1);
    if (index === 0 || !list) {
      if (part.trim() !== "" || line === "")
        out.push(lists.length > 0 && part !== "" ? `  ${inline(part)}` : inline(part));
      continue;
    }
    list.count++;
    const mark = list.isNumbered ? `${list.count}.` : "-";
    const text = part.replace(/^\[([^\][]*)\]/, "**$1**");
    out.push(`${"   ".repeat(lists.length - 1)}${mark} ${inline(text)}`);
  }
}

/** The text in the braces at `at`, and what follows them. */
function bracedAt(text: string, at: number): [inside: string, after: string] {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === "{") depth++;
    else if (text[index] === "}" && --depth === 0) return [text.slice(at + 1, index), text.slice(index + 1)];
  }
  return [text.slice(at + 1), ""];
}

/** The first arguments of a command, at most one. */
function argumentsOf(source: string, name: string): string[] {
  const found = new RegExp(`\\\\${name}(?:\\[[^\\]]{0,500}\\])?\\{`).exec(source);
  return found
    ? [
        bracedAt(source, found.index + found[0].length - 1)[0]
          .replace(/\s+/g, " ")
          .trim(),
      ]
    : [];
}

/** Maximum depth of commands inside of commands. */
const MAX_DEPTH = 8;

function inline(text: string): string {
  const formulas: string[] = [];
  let written = text
    .replace(/\\\((.{0,2000}?)\\\)|\\\[(.{0,2000}?)\\\]|(\$\$?)((?:\\.|[^$\\]){1,2000})\3/g, (...found) => {
      const [, round, square, sign, dollars] = found as (string | undefined)[];
      const isBlock = square !== undefined || sign === "$$";
      formulas.push(
        `${isBlock ? "$$" : "$"}${(round ?? square ?? dollars ?? "").trim()}${isBlock ? "$$" : "$"}`,
      );
      return `\u0001${formulas.length - 1}\u0001`;
    })
    .replace(/\\verb\*?(\W)(.{0,500}?)\1/g, "`$2`")
    .replace(DROPPED, "")
    .replace(/~/g, " ")
    .replace(/---/g, "—")
    .replace(/(?<=\d)--(?=\d)/g, "–")
    .replace(/``|''/g, '"')
    .replace(/\\([`'^~"=cv])(?:\{([A-Za-z])\}|(?<![a-z])([A-Za-z]))/g, (_all, sign: string, braced, bare) =>
      normalized(`${braced ?? bare}${ACCENTS[sign]}`, "NFC"),
    );
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const before = written;
    written = written
      .replace(/\\(?:textbf|bfseries|strong)\{([^{}]*)\}/g, "**$1**")
      .replace(/\\(?:emph|textit|textsl|itshape)\{([^{}]*)\}/g, "*$1*")
      .replace(/\\(?:texttt|code|lstinline|mintinline)\{([^{}]*)\}/g, "`$1`")
      .replace(/\\href\{([^{}]*)\}\{([^{}]*)\}/g, "[$2]($1)")
      .replace(/\\url\{([^{}]*)\}/g, "<$1>")
      .replace(/\\footnote\{([^{}]*)\}/g, " ($1)")
      .replace(/\\(?:cite[a-z]*|ref|eqref|pageref|autoref|cref)\*?(?:\[[^\][]*\])*\{([^{}]*)\}/gi, "[$1]")
      .replace(/\\caption\*?(?:\[[^\][]*\])?\{([^{}]*)\}/g, "$1")
      .replace(/\\[a-zA-Z]+\*?(?:\[[^\][]*\])?\{([^{}]*)\}/g, "\u0002$1");
    if (written === before) break;
  }
  return (
    written
      // A text whose command was removed is not a part of the name of the command before it.
      .replace(/\\([a-zA-Z]+)\*?(?:\{\})?[ ]?/g, (_all, name: string) => SYMBOLS[name] ?? "")
      .replaceAll("\u0002", "")
      .replace(/\\\\(?:\[[^\]]*\])?/g, "  ")
      .replace(/\\([%&$#_{}])/g, "$1")
      .replace(/\\[,;:! ]/g, " ")
      .replace(/(?<!\\)[{}]/g, "")
      .replace(/\u0001(\d+)\u0001/g, (_all, index: string) => formulas[Number(index)] ?? "")
  );
}
