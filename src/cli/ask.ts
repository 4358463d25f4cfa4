// ctxrepo ask: answers a question from the documents of one user and lists the sources.

import { Command } from "commander";
import { LIMITS } from "../kernel/limits.ts";
import { dataOf } from "../requests/reply.ts";
import type { NamedType } from "../kernel/names.ts";
import { type Client, withClient } from "./client.ts";
import {
  type ClientCommandOptions,
  parseQuery,
  parseWholeNumber,
  withClientOptions,
} from "./client-options.ts";
import { printJson, printMessage } from "./output.ts";
import { paged } from "./pager.ts";
import { printable, printableLine } from "./printable.ts";
import { NAME_HELP, recordNamed } from "./records/named.ts";
import { outputStyle, type Style, wrap } from "./style.ts";

const { defaultLimit, maxLimit } = LIMITS.reason;

interface AskOptions extends ClientCommandOptions {
  limit: string;
  document?: string;
  collection?: string;
  explain?: boolean;
  llmUrl?: string;
  llmModel?: string;
  llmKey?: string;
}

interface Answer {
  answer: string;
  citations: { chunkId: string; documentTitle: string }[];
  gaps: string[];
  conflicts: string[];
  trace?: { step: string; lines: string[] }[];
  meta: { fallback?: string };
}

export function askCommand(): Command {
  return withClientOptions(new Command("ask"))
    .description("answer a question from the documents and list the sources")
    .argument("<QUESTION...>", "the question")
    .option("--limit <N>", `maximum number of paragraphs to read, 1 to ${maxLimit}`, String(defaultLimit))
    .option("--document <NAME>", `use only this document: ${NAME_HELP}`)
    .option("--collection <NAME>", "use only the documents of this collection: its name or id")
    .option("--explain", "say what each step of the answer did")
    .option("--llm-url <URL>", "OpenAI-compatible server that writes the answer (CTXREPO_LLM_URL)")
    .option("--llm-model <NAME>", "name of the model on that server (CTXREPO_LLM_MODEL)")
    .option("--llm-key <KEY>", "API key for that server (CTXREPO_LLM_KEY)")
    .action(ask);
}

async function ask(words: string[], options: AskOptions): Promise<void> {
  const { document, collection, json, explain, llmUrl, llmModel, llmKey } = options;
  const question = {
    query: parseQuery("QUESTION", words),
    limit: parseWholeNumber("--limit", options.limit, { minimum: 1, maximum: maxLimit }),
    ...(explain && { explain }),
  };
  await withClient({ ...options, flags: { llmUrl, llmModel, llmKey } }, async (client) => {
    const named = (argument: string, name: string | undefined, type: NamedType) =>
      name === undefined ? undefined : recordNamed(client, { argument, name, types: [type] });
    const body = {
      ...question,
      documentId: (await named("--document", document, "document"))?.id,
      collectionId: (await named("--collection", collection, "collection"))?.id,
    };
    const answer: Answer = dataOf(await client.request("POST", "/v1/reason", { body }));
    if (json) return printJson(answer);
    const text = describeAnswer(answer, await placesOf(client, answer), outputStyle());
    await paged((write) => write(text));
    const { fallback } = answer.meta;
    if (fallback !== undefined) printMessage(`The language model was not used: ${fallback}`);
  });
}

/** The title and the innermost heading of each cited paragraph. */
function placesOf(client: Client, { citations }: Answer): Promise<string[]> {
  return Promise.all(
    citations.map(async ({ chunkId, documentTitle }) => {
      const { status, body } = await client.request("GET", `/v1/pd/read/${chunkId}`);
      const heading = status === 200 ? body.data.hierarchy.sectionPath.split(" > ").at(-1) : "";
      return heading === "" || heading === documentTitle ? documentTitle : `${documentTitle}, ${heading}`;
    }),
  );
}

/** The answer with numbered citations, then gaps, conflicts and the list of sources. */
function describeAnswer(
  { answer, gaps, conflicts, citations, trace = [] }: Answer,
  places: string[],
  { columns, strong }: Style,
): string {
  const numberOf = new Map(citations.map(({ chunkId }, index) => [chunkId, index + 1]));
  const numbered = (text: string) =>
    printable(text.replace(/\[\[([0-9A-Za-z]{27})\]\]/g, (_, id: string) => `[${numberOf.get(id)}]`));
  const section = (title: string, items: string[]) =>
    items.length === 0 ? [] : ["", strong(title), ...items.flatMap((item) => wrapLine(`  ${item}`, columns))];
  const lines = [
    ...numbered(answer)
      .split("\n")
      .flatMap((line) => wrapLine(line, columns)),
    ...section(
      "Not found",
      gaps.map((gap) => `- ${numbered(gap)}`),
    ),
    ...section(
      "Sources disagree",
      conflicts.map((conflict) => `- ${numbered(conflict)}`),
    ),
    ...section(
      "Sources",
      [...Map.groupBy(places.keys(), (index) => places[index]!)].map(
        ([place, indexes]) => `${indexes.map((index) => `[${index + 1}]`).join("")} ${printableLine(place)}`,
      ),
    ),
    ...trace.flatMap(({ step, lines }) => section(`Step ${step}`, lines.map(printableLine))),
  ];
  return `${lines.join("\n")}\n`;
}

/** Where the text of a line starts: behind spaces and the mark of a list item, a quotation or a source. */
const START = /^\s*(?:(?:[-*+>]|\d+[.)]|\[\d+\]) +)*/;

/** Breaks a line that is too long; the others start where its text does. */
function wrapLine(line: string, columns: number): string[] {
  if (Bun.stringWidth(line) <= columns) return [line];
  const [start = ""] = START.exec(line) ?? [];
  const indent = " ".repeat(start.length);
  return wrap(line.slice(start.length), columns - start.length).map(
    (part, index) => (index === 0 ? start : indent) + part,
  );
}
