// ctxrepo ask: answers a question from the documents of one user and lists the sources. Works whether a server runs or not.

import { existsSync } from "node:fs";
import { Command } from "commander";
import { openReadingApp } from "../app.ts";
import { findUserByEmail, LOCAL_OWNER } from "../auth/users.ts";
import { readSettings } from "../config.ts";
import { databasePath } from "../db/open.ts";
import { answerToWire } from "../features/reason/contract.ts";
import { type CitedAnswer, reason } from "../features/reason/reason.ts";
import { badRequest, notFound } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { hasMoreCharacters } from "../kernel/text.ts";
import { type DataDirOption, withDataDir } from "./data-dir.ts";
import { print, printJson, printMessage } from "./output.ts";
import { parseUser } from "./user-options.ts";

const { defaultLimit, maxLimit, defaultTokens } = LIMITS.reason;

interface AskOptions extends DataDirOption {
  user: string;
  limit: string;
  document?: string;
  collection?: string;
  llmUrl?: string;
  llmModel?: string;
  llmKey?: string;
  json?: boolean;
}

export function askCommand(): Command {
  return withDataDir(new Command("ask"))
    .description("answer a question from the documents and list the sources")
    .argument("<QUESTION>", "the question")
    .option("--limit <N>", `maximum number of paragraphs to read, 1 to ${maxLimit}`, String(defaultLimit))
    .option("--document <ID>", "use only this document")
    .option("--collection <ID>", "use only the documents of this collection")
    .option("--user <EMAIL>", "user whose documents are used", LOCAL_OWNER)
    .option("--llm-url <URL>", "OpenAI-compatible server that writes the answer (CTXREPO_LLM_URL)")
    .option("--llm-model <NAME>", "name of the model on that server (CTXREPO_LLM_MODEL)")
    .option("--llm-key <KEY>", "API key for that server (CTXREPO_LLM_KEY)")
    .option("--json", "print JSON")
    .action(ask);
}

async function ask(question: string, options: AskOptions): Promise<void> {
  const { dataDir, user, document, collection, json, llmUrl, llmModel, llmKey } = options;
  const query = parseQuestion(question);
  const limit = parseLimit(options.limit);
  const email = parseUser(user);
  const settings = readSettings({ dataDir, logLevel: "warn", llmUrl, llmModel, llmKey }, process.env);
  if (!existsSync(databasePath(settings.dataDir))) throw notFound(`a database in ${settings.dataDir}`);
  const app = openReadingApp(settings);
  try {
    const asker = findUserByEmail(app.store, email);
    if (!asker) throw notFound(`user ${email}`);
    const startedAt = app.clock.monotonic();
    const answer = await reason(app, asker.id, {
      query,
      limit,
      maxTokens: defaultTokens,
      documentId: document,
      collectionId: collection,
    });
    if (json) printJson(answerToWire(answer, Math.round(app.clock.monotonic() - startedAt)));
    else printAnswer(answer);
  } finally {
    await app.close();
  }
}

function parseQuestion(text: string): string {
  if (text.trim() === "" || text.includes("\0") || hasMoreCharacters(text, LIMITS.query.characters)) {
    throw badRequest({ path: "QUESTION", message: `must have 1 to ${LIMITS.query.characters} characters` });
  }
  return text;
}

function parseLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > maxLimit) {
    throw badRequest({ path: "--limit", message: `must be a whole number from 1 to ${maxLimit}` });
  }
  return limit;
}

/** Prints the answer with numbered citations, then gaps, conflicts and the list of sources. */
function printAnswer({ answer, gaps, conflicts, citations, fallback }: CitedAnswer): void {
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
    citations.map(({ documentTitle, section: heading }, index) => {
      const place =
        heading === "" || heading === documentTitle ? documentTitle : `${documentTitle}, ${heading}`;
      return `[${index + 1}] ${printable(place.replace(/\s+/g, " "))}`;
    }),
  );
  if (fallback !== undefined) printMessage(`The language model was not used: ${fallback}`);
}

/** Removes control characters: text from documents must not control the terminal. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, "");
}
