// Reads reStructuredText, Org, AsciiDoc and LaTeX as Markdown: headings, code blocks, links and emphasis. What it does
// not know stays as it was written.

import { decodeText } from "../shared/charset.ts";
import { firstHeading } from "../shared/first-heading.ts";
import type { FileContents } from "./contents.ts";
import { fenceOf } from "./html.ts";
import { texOf } from "./tex.ts";

/** Reads a text by its ending: rst, org, adoc, asciidoc or tex. */
export async function readMarkup(bytes: Uint8Array, ending: string): Promise<FileContents> {
  const lines = decodeText(bytes, "")
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  const blocks = (FORMS[ending] ?? asciiDocOf)(lines);
  const markdown = blocks
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return { title: firstHeading(markdown).replace(/[*`]/g, ""), markdown, metadata: {}, leftOut: [] };
}

const FORMS: Record<string, (lines: readonly string[]) => string[]> = { rst: rstOf, org: orgOf, tex: texOf };

const heading = (level: number, text: string) =>
  `${"#".repeat(Math.min(Math.max(level, 1), 6))} ${text.trim()}`;

/** A line of one repeated sign, under or around a heading (docutils, section "Sections"). */
const ADORNMENT = /^([=\-`:.'"~^_*+#<>])\1{2,}\s*$/;

/** https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html */
function rstOf(lines: readonly string[]): string[] {
  const out: string[] = [];
  const styles: string[] = [];
  const levelOf = (style: string) => {
    if (!styles.includes(style)) styles.push(style);
    return styles.indexOf(style) + 1;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const [next = "", third = ""] = [lines[at + 1], lines[at + 2]];
    const sign = ADORNMENT.exec(line)?.[1];
    if (sign !== undefined && next.trim() !== "" && ADORNMENT.exec(third)?.[1] === sign) {
      out.push("", heading(levelOf(`${sign}${sign}`), rstInline(next)), "");
      at += 2;
      continue;
    }
    const under = ADORNMENT.exec(next)?.[1];
    if (
      under !== undefined &&
      /^\S/.test(line) &&
      sign === undefined &&
      next.trimEnd().length >= line.trimEnd().length
    ) {
      out.push("", heading(levelOf(under), rstInline(line)), "");
      at++;
      continue;
    }
    const directive = /^(\s*)\.\.\s+([\w:-]+)::\s*(.*)$/.exec(line);
    const isLiteral = /::\s*$/.test(line) && !directive;
    if (directive || isLiteral) {
      const indent = directive?.[1]?.length ?? /^\s*/.exec(line)![0].length;
      const { block, end } = indented(lines, at + 1, indent);
      const [, , name = "", argument = ""] = directive ?? [];
      if (isLiteral) {
        const before = line.replace(/::\s*$/, /^\s*::\s*$/.test(line) ? "" : ":");
        out.push(rstInline(before), ...(block.length > 0 ? ["", fenceOf(block.join("\n")), ""] : []));
      } else if (/^(?:code|code-block|sourcecode|literalinclude|math|parsed-literal)$/.test(name)) {
        const text = withoutOptions(block).join("\n");
        const code = text === "" ? argument : text;
        out.push("", name === "math" ? `$$${code.trim()}$$` : fenceOf(code, text === "" ? "" : argument), "");
      } else if (/^(?:image|figure)$/.test(name)) out.push(...rstOf(withoutOptions(block)));
      else if (/^(?:toctree|contents|index|raw|only|highlight|currentmodule|include)$/.test(name))
        out.push("");
      else {
        // Notes, warnings, and descriptions of functions.
        out.push("", `> **${name}${argument === "" ? "" : `: ${argument}`}**`);
        const inner = rstOf(withoutOptions(block)).join("\n").trim();
        if (inner !== "") out.push(">", ...inner.split("\n").map((one) => `> ${one}`.trimEnd()));
        out.push("");
      }
      at = end - 1;
      continue;
    }
    // Comments, and names of links.
    if (/^\.\.(?:\s|$)/.test(line)) {
      const link = /^\.\.\s+_([^:]+):\s+(\S+)$/.exec(line);
      if (link) out.push(`[${link[1]}]: ${link[2]}`);
      continue;
    }
    out.push(rstInline(line));
  }
  return out;
}

/** The lines that are indented more than `indent`, without their common indentation; and where they end. */
function indented(lines: readonly string[], from: number, indent: number): { block: string[]; end: number } {
  let end = from;
  while (end < lines.length && (lines[end]!.trim() === "" || /^\s*/.exec(lines[end]!)![0].length > indent))
    end++;
  const block = lines.slice(from, end);
  const common = Math.min(
    ...block.filter((line) => line.trim() !== "").map((line) => /^\s*/.exec(line)![0].length),
  );
  const cut = block.map((line) => line.slice(Number.isFinite(common) ? common : 0));
  while (cut.length > 0 && cut[0]!.trim() === "") cut.shift();
  while (cut.length > 0 && cut.at(-1)!.trim() === "") cut.pop();
  return { block: cut, end };
}

function withoutOptions(block: readonly string[]): string[] {
  const first = block.findIndex((line) => line.trim() !== "" && !/^:[\w-]+:/.test(line));
  return first < 0 ? [] : block.slice(first);
}

const rstInline = (line: string) =>
  line
    .replace(/:(?:ref|doc|term|abbr|sub|sup|download):`([^`<]*)(?:<[^`>]*>)?`/g, (_all, text: string) =>
      text.trimEnd(),
    )
    .replace(/:[\w:-]{1,60}:`([^`<]*)(?:<[^`>]*>)?`/g, (_all, text: string) => `\`${text.trimEnd()}\``)
    .replace(/``([^`]+)``/g, "`$1`")
    .replace(
      /`([^`<]+)<([^`>]+)>`__?/g,
      (_all, text: string, target: string) => `[${text.trimEnd()}](${target})`,
    );

/** https://orgmode.org/worg/org-syntax.html */
function orgOf(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const title = /^(\*+)\s+(.*)$/.exec(line.trimEnd());
    const block = /^\s*#\+begin_(\w+)\s*(\S*)/i.exec(line);
    if (title) out.push("", heading(title[1]!.length, orgInline(withoutTags(title[2]!))), "");
    else if (block) {
      const name = block[1]!.toLowerCase();
      const closing = new RegExp(`^\\s*#\\+end_${name}\\s*$`, "i");
      let end = at + 1;
      while (end < lines.length && !closing.test(lines[end]!)) end++;
      const inner = lines.slice(at + 1, end);
      if (name === "src" || name === "example")
        out.push("", fenceOf(inner.join("\n"), name === "src" ? block[2] : ""), "");
      else if (name !== "comment") out.push("", ...inner.map((one) => `> ${orgInline(one)}`.trimEnd()), "");
      at = end;
    } else if (/^\s*#\+title:/i.test(line))
      out.unshift(heading(1, line.replace(/^\s*#\+title:\s*/i, "")), "");
    else if (/^\s*:PROPERTIES:\s*$/i.test(line)) {
      while (at < lines.length - 1 && !/^\s*:END:\s*$/i.test(lines[at]!)) at++;
    } else if (!/^\s*#(?:\+|\s|$)/.test(line)) out.push(orgInline(line));
  }
  return out;
}

/** The text of a heading without its tags: `Tides :sea:moon:`. */
function withoutTags(text: string): string {
  const start = text.lastIndexOf(" ") + 1;
  return /^:[\w@:]+:$/.test(text.slice(start)) ? text.slice(0, start).trimEnd() : text;
}

const orgInline = (line: string) =>
  line
    .replace(/\[\[([^\][]+)\]\[([^\][]+)\]\]/g, "[$2]($1)")
    .replace(/\[\[([^\][]+)\]\]/g, "<$1>")
    .replace(/(?<=^|[\s(])[=~]([^\s=~](?:[^=~]*[^\s=~])?)[=~](?=$|[\s).,;:!?])/g, "`$1`")
    .replace(/^(\s*)([-+])\s+\[X\]/, "$1$2 [x]")
    .replace(/^\|[-+]+\|?$/, (rule) => rule.replaceAll("+", "|"));

/** https://docs.asciidoctor.org/asciidoc/latest/ */
function asciiDocOf(lines: readonly string[]): string[] {
  const out: string[] = [];
  let language = "";
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const title = /^(={1,6})\s+(\S.*)$/.exec(line);
    const fence = /^(-{4,}|\.{4,}|`{3,})(\w*)\s*$/.exec(line);
    if (title) out.push("", heading(title[1]!.length, title[2]!), "");
    else if (fence) {
      let end = at + 1;
      while (end < lines.length && lines[end]!.trimEnd() !== fence[1]) end++;
      out.push("", fenceOf(lines.slice(at + 1, end).join("\n"), language || fence[2]), "");
      language = "";
      at = end;
    } else if (/^\[.*\]\s*$/.test(line)) language = /^\[source,\s*([\w+#-]+)/.exec(line)?.[1] ?? "";
    else if (/^:[\w!-]+:/.test(line) || /^\/\//.test(line) || /^(?:={4,}|\*{4,}|_{4,}|\|===)\s*$/.test(line))
      out.push("");
    else if (/^(\*{1,5}|\.{1,5})\s+\S/.test(line)) {
      const [, marks = "", text = ""] = /^([*.]+)\s+(.*)$/.exec(line)!;
      out.push(
        `${"   ".repeat(marks.length - 1)}${marks.startsWith("*") ? "-" : "1."} ${asciiDocInline(text)}`,
      );
    } else if (/^\.\w/.test(line)) out.push(`**${line.slice(1).trim()}**`, "");
    else out.push(asciiDocInline(line));
  }
  return out;
}

const asciiDocInline = (line: string) =>
  line
    .replace(/(?:link:)?(https?:\/\/[^\s[\]]{1,2000})\[([^\][]+)\]/g, "[$2]($1)")
    .replace(/(?<=^|[\s(])\*(\S(?:[^*]*\S)?)\*(?=$|[\s).,;:!?])/g, "**$1**")
    .replace(/^(NOTE|TIP|WARNING|IMPORTANT|CAUTION):\s+/, "> **$1:** ");
