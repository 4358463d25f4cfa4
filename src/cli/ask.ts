// ctxrepo ask: answers a question from the documents of one user and lists the sources.

import { Command } from "commander";
import { LIMITS } from "../kernel/limits.ts";
import {
  type AnswerReply,
  type AnswerTexts,
  type CitedDocument,
  citedDocuments,
  textsOf,
} from "../requests/answer.ts";
import { dataOf } from "../requests/reply.ts";
import type { NamedType } from "../kernel/names.ts";
import { withClient } from "./client.ts";
import {
  type ClientCommandOptions,
  collect,
  PATH_HELP,
  parseQuery,
  parseWholeNumber,
  pathPrefix,
  withClientOptions,
} from "./client-options.ts";
import { EndedWith, EXIT, print, printJson, printMessage } from "./output.ts";
import { paged } from "./pager.ts";
import { printPending } from "./pending.ts";
import { printable, printableLine } from "./printable.ts";
import { NAME_HELP, recordNamed } from "./records/named.ts";
import { outputStyle, type Style, wrap } from "./style.ts";

const { defaultLimit, maxLimit } = LIMITS.reason;

interface AskOptions extends ClientCommandOptions {
  limit: string;
  document?: string;
  collection?: string;
  short?: boolean;
  tag?: string[];
  path?: string;
  explain?: boolean;
  llmUrl?: string;
  llmModel?: string;
  llmKey?: string;
}

interface Answer extends AnswerReply {
  trace?: { step: string; lines: string[] }[];
  meta: { fallback?: string; language?: string };
}

export function askCommand(): Command {
  return withClientOptions(new Command("ask"))
    .description(
      "answer a question from the documents and list the sources; exit code 3: they do not answer it",
    )
    .argument("<QUESTION...>", "the question")
    .option("--limit <N>", `maximum number of paragraphs to read, 1 to ${maxLimit}`, String(defaultLimit))
    .option("--document <NAME>", `use only this document: ${NAME_HELP}`)
    .option("--collection <NAME>", "use only the documents of this collection: its name or id")
    .option("--short", "print only what answers the question, without sources")
    .option("--tag <TAG>", "use only documents with this tag; repeatable", collect)
    .option("--path <PREFIX>", PATH_HELP)
    .option("--explain", "say what each step of the answer did")
    .option("--llm-url <URL>", "OpenAI-compatible server that writes the answer (CTXREPO_LLM_URL)")
    .option("--llm-model <NAME>", "name of the model on that server (CTXREPO_LLM_MODEL)")
    .option("--llm-key <KEY>", "API key for that server (CTXREPO_LLM_KEY)")
    .action(ask);
}

async function ask(words: string[], options: AskOptions): Promise<void> {
  const { document, collection, tag, path, json, short, explain, llmUrl, llmModel, llmKey } = options;
  const question = {
    query: parseQuery("QUESTION", words),
    limit: parseWholeNumber("--limit", options.limit, { minimum: 1, maximum: maxLimit }),
    ...(explain && { explain }),
  };
  const answer = await withClient({ ...options, flags: { llmUrl, llmModel, llmKey } }, async (client) => {
    const named = (argument: string, name: string | undefined, type: NamedType) =>
      name === undefined ? undefined : recordNamed(client, { argument, name, types: [type] });
    const body = {
      ...question,
      documentId: (await named("--document", document, "document"))?.id,
      collectionId: (await named("--collection", collection, "collection"))?.id,
      tags: tag,
      path: path === undefined ? undefined : pathPrefix(path),
    };
    const reply = await client.request("POST", "/v1/reason", { body });
    const data: Answer = dataOf(reply);
    printPending(reply);
    return data;
  });
  const texts = textsOf(answer);
  if (json) printJson(answer);
  else if (short) printShort(texts);
  else await paged((write) => write(describeAnswer(answer, texts, outputStyle())));
  const { fallback } = answer.meta;
  if (fallback !== undefined && !json) printMessage(`The language model was not used: ${fallback}`);
  if (texts.direct.length === 0) throw new EndedWith(EXIT.unanswered);
}

/** Prints what answers the question without citations; on stderr, that nothing does or that the sources disagree. */
function printShort({ direct, conflicts, frames }: AnswerTexts): void {
  const texts = direct.map((text) => printable(text.replace(/ ?\[\[[0-9A-Za-z]{27}\]\]/g, "").trim()));
  if (texts.length > 0) print(texts.join("\n\n"));
  else printMessage(frames.nothing);
  if (conflicts.length > 0) printMessage("The sources disagree: ask without --short to see how.");
}

/** The answer with numbered citations, then gaps, conflicts and the list of sources. */
function describeAnswer(
  { citations, trace = [] }: Answer,
  { direct, support, related, gaps, conflicts, frames }: AnswerTexts,
  { columns, strong }: Style,
): string {
  const numberOf = new Map(citations.map(({ chunkId }, index) => [chunkId, index + 1]));
  const numbered = (text: string) =>
    printable(text.replace(/\[\[([0-9A-Za-z]{27})\]\]/g, (_, id: string) => `[${numberOf.get(id)}]`));
  const texts = (title: string, all: readonly string[]) => (all.length === 0 ? [] : [title, ...all]);
  const section = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : ["", strong(title), ...items.flatMap((item) => wrapLine(`  ${item}`, columns))];
  const listed = (items: readonly string[]) => items.map((item) => `- ${numbered(item)}`);
  const shown = [
    ...(direct.length === 0 ? [frames.nothing] : direct),
    ...texts(frames.also, support),
    ...texts(frames.related, related),
  ].join("\n\n");
  const lines = [
    ...numbered(shown)
      .split("\n")
      .flatMap((line) => wrapLine(line, columns)),
    ...section(frames.headings.gaps, listed(gaps)),
    ...section(frames.headings.conflicts, listed(conflicts)),
    ...section(frames.headings.sources, citedDocuments(citations).map(describeSource)),
    ...trace.flatMap(({ step, lines: did }) => section(`Step ${step}`, did.map(printableLine))),
  ];
  return `${lines.join("\n")}\n`;
}

/** `[1][4] Refund policy — Licenses/Refund policy.md › Request a refund` */
function describeSource({ title, place, headings, cited }: CitedDocument): string {
  const document = place === undefined ? title : `${title} — ${place}`;
  const numbers = cited.map(({ number }) => `[${number}]`).join("");
  return `${numbers} ${printableLine([document, headings.join(", ")].filter((part) => part !== "").join(" › "))}`;
}

/** Where the text of a line starts: after spaces and the mark of a list item, a quotation or a source. */
const START = /^\s*(?:(?:[-*+>]|\d+[.)]|(?:\[\d+\])+) +)*/;

/** Breaks a line that is too long; the others start where its text does. */
function wrapLine(line: string, columns: number): string[] {
  if (Bun.stringWidth(line) <= columns) return [line];
  const [start = ""] = START.exec(line) ?? [];
  const indent = " ".repeat(start.length);
  return wrap(line.slice(start.length), columns - start.length).map(
    (part, index) => (index === 0 ? start : indent) + part,
  );
}
