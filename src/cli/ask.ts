// ctxrepo ask: answers a question from the documents of one user and lists the sources.

import { Command } from "commander";
import { LIMITS } from "../kernel/limits.ts";
import { dataOf } from "./api-data.ts";
import { type Client, withClient } from "./client.ts";
import {
  type ClientCommandOptions,
  parseQuery,
  parseWholeNumber,
  withClientOptions,
} from "./client-options.ts";
import { print, printJson, printMessage } from "./output.ts";
import { printable, printableLine } from "./printable.ts";

const { defaultLimit, maxLimit } = LIMITS.reason;

interface AskOptions extends ClientCommandOptions {
  limit: string;
  document?: string;
  collection?: string;
  llmUrl?: string;
  llmModel?: string;
  llmKey?: string;
}

interface Answer {
  answer: string;
  citations: { chunkId: string; documentTitle: string }[];
  gaps: string[];
  conflicts: string[];
  meta: { fallback?: string };
}

export function askCommand(): Command {
  return withClientOptions(new Command("ask"))
    .description("answer a question from the documents and list the sources")
    .argument("<QUESTION>", "the question")
    .option("--limit <N>", `maximum number of paragraphs to read, 1 to ${maxLimit}`, String(defaultLimit))
    .option("--document <ID>", "use only this document")
    .option("--collection <ID>", "use only the documents of this collection")
    .option("--llm-url <URL>", "OpenAI-compatible server that writes the answer (CTXREPO_LLM_URL)")
    .option("--llm-model <NAME>", "name of the model on that server (CTXREPO_LLM_MODEL)")
    .option("--llm-key <KEY>", "API key for that server (CTXREPO_LLM_KEY)")
    .action(ask);
}

async function ask(question: string, options: AskOptions): Promise<void> {
  const { document, collection, json, llmUrl, llmModel, llmKey } = options;
  const body = {
    query: parseQuery("QUESTION", question),
    limit: parseWholeNumber("--limit", options.limit, { minimum: 1, maximum: maxLimit }),
    documentId: document,
    collectionId: collection,
  };
  await withClient({ ...options, flags: { llmUrl, llmModel, llmKey } }, async (client) => {
    const answer: Answer = dataOf(await client.request("POST", "/v1/reason", { body }));
    if (json) printJson(answer);
    else printAnswer(answer, await placesOf(client, answer));
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

/** Prints the answer with numbered citations, then gaps, conflicts and the list of sources. */
function printAnswer({ answer, gaps, conflicts, citations, meta }: Answer, places: string[]): void {
  const numberOf = new Map(citations.map(({ chunkId }, index) => [chunkId, index + 1]));
  const numbered = (text: string) =>
    printable(text.replace(/\[\[(\w+)\]\]/g, (_, id: string) => `[${numberOf.get(id)}]`));
  print(numbered(answer));
  const section = (title: string, lines: string[]) => {
    if (lines.length > 0) print(`\n${title}\n${lines.map((line) => `  ${line}`).join("\n")}`);
  };
  section(
    "Not found",
    gaps.map((gap) => `- ${numbered(gap)}`),
  );
  section(
    "Sources disagree",
    conflicts.map((conflict) => `- ${numbered(conflict)}`),
  );
  section(
    "Sources",
    places.map((place, index) => `[${index + 1}] ${printableLine(place)}`),
  );
  if (meta.fallback !== undefined) printMessage(`The language model was not used: ${meta.fallback}`);
}
