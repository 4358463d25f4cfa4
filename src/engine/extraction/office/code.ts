// Reads source code as Markdown: a section for each definition, with its lines. Where no parser knows the language,
// blank lines divide the code.

import type { Tree } from "@lezer/common";
import { decodeText } from "../shared/charset.ts";
import type { FileContents } from "./contents.ts";
import { fenceOf } from "./html.ts";

/** A longer definition is divided into those inside of it. */
const MAX_LINES = 100;
/** Blocks of code without a parser are joined up to this length. */
const MIN_BLOCK_LINES = 25;
/** Lines of a declaration that is a section of its own although it declares no type or function. */
const MIN_VALUE_LINES = 10;
const MAX_HEADING = 100;
/** Levels of headings below the first. */
const MAX_LEVEL = 6;
/** Longer code is not parsed. */
const MAX_PARSED_UNITS = 2 * 1024 ** 2;

/** For deeper brackets, the parsers take gigabytes of memory. */
const MAX_NESTING = 200;

type Parse = (text: string) => Tree;

/** The parsers by the endings of files. They are loaded on demand. */
const PARSERS: Record<string, () => Promise<Parse>> = {
  ...sameFor("js cjs mjs jsx", () => javaScript("jsx")),
  ...sameFor("ts tsx", () => javaScript("ts jsx")),
  ...sameFor("py", async () => parseWith((await import("@lezer/python")).parser)),
  ...sameFor("java", async () => parseWith((await import("@lezer/java")).parser)),
  ...sameFor("c cc cpp cxx h hpp", async () => parseWith((await import("@lezer/cpp")).parser)),
  ...sameFor("rs", async () => parseWith((await import("@lezer/rust")).parser)),
  ...sameFor("go", async () => parseWith((await import("@lezer/go")).parser)),
};

function sameFor(endings: string, load: () => Promise<Parse>): Record<string, () => Promise<Parse>> {
  return Object.fromEntries(endings.split(" ").map((ending) => [ending, load]));
}

const parseWith = (parser: { parse(text: string): Tree }): Parse => {
  return (text) => parser.parse(text);
};
const javaScript = async (dialect: string) =>
  parseWith((await import("@lezer/javascript")).parser.configure({ dialect }));

/** Names of nodes of the parsers that define something. */
const DEFINED =
  "Function Class Method Interface TypeAlias Enum Struct Union Trait Impl Mod Namespace Constructor Record AnnotationType".split(
    " ",
  );
const DEFINITION = new RegExp(
  `^(?:${DEFINED.join("|")})(?:Declaration|Definition|Item|Specifier)$|^(?:Function|Method|Type)Decl$|^MacroDefinition$`,
);
const VALUE = /^(?:VariableDeclaration|AssignStatement|ConstDecl|VarDecl|ConstItem|StaticItem)$/;
/** Nodes around a definition that belong to it. */
const AROUND = /^(?:ExportDeclaration|DecoratedStatement|TemplateDeclaration)$/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|endif)|@|"""|--|;)/;

/** Lines from `start` to before `end`, counted from 0. */
interface Range {
  start: number;
  end: number;
}

/** Reads a file by its ending. The title is its name. */
export async function readCode(bytes: Uint8Array, ending: string): Promise<FileContents> {
  const text = decodeText(bytes, "")
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n");
  const lines = text.split("\n");
  const load = text.length <= MAX_PARSED_UNITS && !isDeep(text) ? PARSERS[ending] : undefined;
  const definitions = load ? definitionsIn((await load())(text), lines, text) : [];
  const whole = { start: 0, end: lines.length };
  const sections = definitions.length > 0 ? divide(whole, definitions, 2) : blocksOf(lines);
  const written = sections.flatMap((section) => {
    const { start, end, level, title } = trimmed(section, lines);
    if (start >= end) return [];
    const place = start + 1 === end ? `line ${end}` : `lines ${start + 1}–${end}`;
    const heading = title === "" ? place : `${codeSpan(title)}, ${place}`;
    return `${"#".repeat(level)} ${heading}\n\n${fenceOf(lines.slice(start, end).join("\n"), ending)}`;
  });
  return { title: "", markdown: written.join("\n\n"), metadata: {}, leftOut: [] };
}

/** A section without the blank lines at its edges. */
function trimmed(section: Section, lines: readonly string[]): Section {
  let { start, end } = section;
  while (start < end && lines[start]!.trim() === "") start++;
  while (end > start && lines[end - 1]!.trim() === "") end--;
  return { ...section, start, end };
}

/** Whether brackets are nested too deeply for the parsers, also those in texts and comments. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/[()[\]{}]/g)) {
    depth = "([{".includes(sign) ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_NESTING) return true;
  }
  return false;
}

interface Definition extends Range {
  title: string;
  inside: Definition[];
}

/** The definitions of a file with the comments before them, nested as they are in the code. */
function definitionsIn(tree: Tree, lines: readonly string[], text: string): Definition[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const lineOf = (offset: number) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low;
  };
  const all: Definition[] = [];
  const open: Definition[] = [];
  tree.iterate({
    enter({ name, from, to, node }) {
      const [first, last] = [lineOf(from), lineOf(Math.max(from, to - 1))];
      while (open.length > 0 && open.at(-1)!.end <= first) open.pop();
      const isValue = VALUE.test(name) && open.length === 0 && last - first + 1 >= MIN_VALUE_LINES;
      if (!DEFINITION.test(name) && !isValue) return;
      const around = node.parent && AROUND.test(node.parent.name) ? lineOf(node.parent.from) : first;
      const outer = open.at(-1);
      const siblings = outer ? outer.inside : all;
      const floor = siblings.at(-1)?.end ?? (outer ? outer.start + 1 : 0);
      const start = withComments(lines, Math.max(around, floor), floor);
      if (start < floor || last + 1 <= start || (outer && last >= outer.end)) return;
      const definition = { start, end: last + 1, title: titleOf(lines[first]!), inside: [] };
      siblings.push(definition);
      open.push(definition);
    },
  });
  return all;
}

/** The first line of the comments directly before a line, not before `floor`. */
function withComments(lines: readonly string[], start: number, floor: number): number {
  let first = start;
  while (first > floor && COMMENT.test(lines[first - 1]!)) first--;
  return first;
}

const titleOf = (line: string) =>
  line
    .trim()
    .replace(/\s*[{:]\s*$/, "")
    .slice(0, MAX_HEADING);

const codeSpan = (text: string) => (text.includes("`") ? text.replace(/`/g, "'") : `\`${text}\``);

interface Section extends Range {
  level: number;
  title: string;
}

/** Sections for definitions and for what is between them. */
function divide(range: Range, definitions: readonly Definition[], level: number): Section[] {
  const sections: Section[] = [];
  let at = range.start;
  for (const definition of definitions) {
    sections.push({ start: at, end: definition.start, level, title: "" });
    const { start, end, title, inside } = definition;
    if (end - start > MAX_LINES && inside.length > 0 && level < MAX_LEVEL) {
      sections.push({ start, end: inside[0]!.start, level, title });
      sections.push(...divide({ start: inside[0]!.start, end }, inside, level + 1));
    } else sections.push({ start, end, level, title });
    at = end;
  }
  sections.push({ start: at, end: range.end, level, title: "" });
  return sections.filter(({ start, end }) => end > start);
}

/** Blocks that blank lines divide, short ones joined. */
function blocksOf(lines: readonly string[]): Section[] {
  const sections: Section[] = [];
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const isEnd = line.trim() === "" && index - start >= MIN_BLOCK_LINES;
    if (!isEnd && index < lines.length - 1) continue;
    sections.push({ start, end: index + 1, level: 2, title: "" });
    start = index + 1;
  }
  return sections;
}
