// One hostile text through the whole server: stored, changed, restored, searched, read in chunks, asked about and
// exported.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, cleanEnvironment } from "../../bench/bench.ts";
import { cacheFolder, REPOSITORY } from "../../bench/child-server.ts";
import { compare } from "../../../src/kernel/compare.ts";
import { type Caller, expectStatus, type RawReply, type Tally } from "./tally.ts";
import { type HostileText, sampleOf } from "./texts.ts";

/** Texts in responses are cut here, at the end of a character. */
const WIRE_BYTES = 2 * 1024 * 1024;
const PROMPT_BYTES = 1024 * 1024;
const DIRECTIONS = ["up", "down", "next", "previous", "surrounding"];

export interface Stored {
  name: string;
  text: string;
  documentId: string;
}

export interface Journey {
  call: Caller;
  tally: Tally;
}

const sha256 = (text: string) => `sha256:${new Bun.CryptoHasher("sha256").update(text).digest("hex")}`;

/**
 * Stores a text as document and prompt, changes it and restores it. Returns undefined if it must be and is rejected.
 */
export async function store(
  { call, tally }: Journey,
  { name, make, isRejected }: HostileText,
  size: number,
): Promise<Stored | undefined> {
  const text = make(size);
  const created = await call("POST", "/v1/documents", {
    body: { title: name, content: text, tags: ["hostile"] },
  });
  if (isRejected) {
    expectStatus(tally, created, [`${name} is rejected`, 400]);
    return undefined;
  }
  if (!expectStatus(tally, created, [`${name} is stored`, 201])) return undefined;
  const documentId: string = created.body.data.id;
  const path = `/v1/documents/${documentId}`;
  await expectText({ call, tally }, { name, text, path });

  const half = text.slice(Math.floor(text.length / 2)).toWellFormed();
  const changed = await call("PATCH", path, { body: { content: half, changeLog: name.slice(0, 50) } });
  expectStatus(tally, changed, [`${name} is changed`, 200]);
  const versions = await call("GET", `${path}/versions`);
  const first = versions.body?.data?.at(-1);
  if (!isSame(first?.content, text)) tally.problems.push(`${name}: the first version has another text`);
  const startedAt = performance.now();
  compare(text, half);
  const times = tally.latencies.get("diff of two versions") ?? [];
  tally.latencies.set("diff of two versions", [...times, performance.now() - startedAt]);
  const restored = await call("POST", `${path}/restore`, { body: { versionId: first?.id } });
  expectStatus(tally, restored, [`${name} is restored`, 200]);
  await expectText({ call, tally }, { name: `${name}, restored`, text, path });
  await storePrompt({ call, tally }, name, text);
  return { name, text, documentId };
}

async function storePrompt({ call, tally }: Journey, name: string, text: string): Promise<void> {
  const isTooLarge = Buffer.byteLength(text) > PROMPT_BYTES;
  const isBlank = text.trim() === "";
  const body = { title: name, description: sampleOf(text), content: text };
  const prompt = await call("POST", "/v1/prompts", { body });
  const expected = isTooLarge ? 413 : isBlank ? 400 : 201;
  if (!expectStatus(tally, prompt, [`${name} as a prompt`, expected]) || expected !== 201) return;
  const read = await call("GET", `/v1/prompts/${prompt.body.data.id}`);
  if (read.body.data.content !== text) tally.problems.push(`${name}: the prompt has another text`);
}

async function expectText(
  { call, tally }: Journey,
  { name, text, path }: { name: string; text: string; path: string },
): Promise<void> {
  const { status, headers, body } = await call("GET", path);
  const isIntact =
    status === 200 && isSame(body.data.content, text) && body.data.contentHash === sha256(text);
  if (!isIntact || headers.get("x-service-content-hash") !== sha256(text))
    tally.problems.push(`${name}: the document has another text`);
}

/** Whether a text is what was stored, or its beginning if it is longer than a response may have. */
function isSame(returned: unknown, text: string): boolean {
  if (typeof returned !== "string") return false;
  if (Buffer.byteLength(text) <= WIRE_BYTES) return returned === text;
  return text.startsWith(returned) && Buffer.byteLength(returned) > WIRE_BYTES - 4;
}

/** Searches for a stored text in every way, reads its chunks and asks about it. Everything is indexed already. */
export async function retrieve({ call, tally }: Journey, { name, text, documentId }: Stored): Promise<void> {
  const sample = sampleOf(text);
  const query = encodeURIComponent(sample);
  const answered = (reply: RawReply, what: string) => expectStatus(tally, reply, [`${name}: ${what}`, 200]);
  answered(await call("GET", `/v1/search?q=${query}&semantic=false`), "literal search");
  answered(await call("GET", `/v1/search?q=${query}&explain=true`), "search by meaning");
  answered(await call("GET", `/v1/documents?search=${query}`), "list with a filter");
  const body = { query: sample, documentId, scoreThreshold: 0, detailLevel: "full", limit: 20 };
  const found = await call("POST", "/v1/pd/search", { body });
  if (!answered(found, "search of chunks")) return;
  for (const { chunkId } of found.body.data.results.slice(0, 3)) {
    const read = await call("GET", `/v1/pd/read/${chunkId}`);
    if (!answered(read, "read of a chunk")) continue;
    const { content, metadata } = read.body.data;
    const part = text.slice(metadata.startIndex, metadata.endIndex);
    if (!isSame(content, part)) tally.problems.push(`${name}: a chunk has another text`);
    for (const direction of DIRECTIONS)
      answered(await call("POST", "/v1/pd/expand", { body: { chunkId, direction } }), `expand ${direction}`);
  }
  const question = { query: `What about ${sample}?`, documentId, limit: 50, maxTokens: 100_000 };
  answered(await call("POST", "/v1/reason", { body: question, kind: "reason" }), "answer");
}

/** Exports everything, and reports each text that no file contains. */
export async function exportAll(
  bench: Bench,
  { dataDir, stored, tally }: { dataDir: string; stored: readonly Stored[]; tally: Tally },
): Promise<void> {
  const folder = join(bench.folder(), "export");
  const env = cleanEnvironment(await cacheFolder(bench));
  const done = await Bun.$`${REPOSITORY} export ${folder} --data-dir ${dataDir} --json`
    .env(env)
    .nothrow()
    .quiet();
  if (done.exitCode !== 0) tally.problems.push(`export: ${done.stderr.toString().slice(-500)}`);
  const documents = join(folder, "documents");
  const files = readdirSync(documents).map((file) => readFileSync(join(documents, file), "utf8"));
  for (const { name, text, documentId } of stored) {
    const file = files.find((content) => content.includes(documentId));
    if (!file?.includes(text)) tally.problems.push(`${name}: the exported file has another text`);
  }
}
