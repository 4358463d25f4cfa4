// Group upgrade: the program as it is now opens a database file of every earlier schema, indexes its records with the
// shipped model, and answers requests as it does from the newest file. Started again, it finds the same.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { API_KEY, BREAD, KETTLE } from "../../test/fixtures/old-databases/records.ts";
import { type Client, clientOf, startChild } from "../bench/child-server.ts";
import type { Check, Torture } from "./torture.ts";

const FILES = join(import.meta.dir, "..", "..", "test", "fixtures", "old-databases");

/** Requests about records that every file contains. */
const REQUESTS: readonly [name: string, method: string, path: string, body?: object][] = [
  ["a document", "GET", `/v1/documents/${KETTLE.id}`],
  ["another document", "GET", `/v1/documents/${BREAD.id}`],
  ["its versions", "GET", `/v1/documents/${KETTLE.id}/versions`],
  ["a search by text", "GET", "/v1/search?q=limescale&semantic=false&type=documents"],
  ["a search by meaning", "GET", "/v1/search?q=vinegar+against+limescale&type=documents&limit=1"],
  ["chunks", "POST", "/v1/pd/search", { query: "kettle whistles", documentId: KETTLE.id, scoreThreshold: 0 }],
  ["an answer", "POST", "/v1/reason", { query: "What removes limescale?", documentId: KETTLE.id }],
];

/**
 * Members that depend on time, or on the other records of a file, which newer files have more of; and those that only
 * programs of later schemas wrote.
 */
const OWN_MEMBERS = new Set(["latencyMs", "stats", "score", ...Object.keys(BREAD.metadata)]);
/** Ids that the records of the files do not have: those of chunks, which are made with the index. */
const CHUNK_ID = /\b(?!3F0)\w{27}\b/g;

/** Yields how many files open, and how many of their answers differ. */
export async function* upgrade(torture: Torture): AsyncGenerator<Check> {
  const files = readdirSync(FILES)
    .filter((name) => name.endsWith(".db.gz"))
    .sort();
  const chosen = spread(files, torture.repetitions(files.length));
  const expected = await answersOf(torture, files.at(-1)!);
  let different = 0;
  for (const file of chosen) {
    const answers = await answersOf(torture, file);
    for (const [index, [name]] of REQUESTS.entries()) {
      for (const again of [false, true]) {
        const answer = answers[index + (again ? REQUESTS.length : 0)]!;
        if (answer === expected[index]) continue;
        different++;
        torture.note(
          `${file}: ${name} differs${again ? " after another start" : ""}:\n${answer}\n${expected[index]}`,
        );
      }
    }
  }
  yield { check: "database files of earlier schemas that open", value: chosen.length, unit: "" };
  const requests = chosen.length * REQUESTS.length * 2;
  yield { check: `different answers, of ${requests}`, value: different, unit: "", atMost: 0 };
}

/** `count` of the names, the first and the last among them. */
function spread(names: readonly string[], count: number): string[] {
  const step = (names.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, index) => names[Math.round(index * step)]!);
}

/** The answers to all requests, and the same again after another start. */
async function answersOf(torture: Torture, file: string): Promise<string[]> {
  const dataDir = torture.folder();
  writeFileSync(databasePath(dataDir), Bun.gunzipSync(readFileSync(join(FILES, file))));
  const answers: string[] = [];
  for (let start = 0; start < 2; start++) {
    const server = await startChild(torture, dataDir);
    await server.idle();
    const client = clientOf(server, API_KEY.text);
    for (const [, method, path, body] of REQUESTS) answers.push(await ask(client, { method, path, body }));
    await server.stop();
  }
  torture.discard(dataDir);
  return answers;
}

async function ask(
  client: Client,
  { method, path, body }: { method: string; path: string; body?: object },
): Promise<string> {
  const reply = await client<object>(method, path, body);
  const text = JSON.stringify(reply, (name, value) => (OWN_MEMBERS.has(name) ? undefined : value));
  return text.replace(CHUNK_ID, "chunk");
}
