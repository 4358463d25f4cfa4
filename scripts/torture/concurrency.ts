// Concurrent clients with leases on few documents of the real program; a checker proves that the accepted writes form
// one chain.

import { type Client, clientOf, createKey, startChild } from "../bench/child-server.ts";
import { createRandom } from "../bench/random.ts";
import { violationsIn } from "./concurrency/checker.ts";
import { emptyLog, type FinalState, type Grant } from "./concurrency/log.ts";
import { runWriter } from "./concurrency/writer.ts";
import type { Check, Torture } from "./torture.ts";

const CLIENTS = 32;
const OPERATIONS = 200;
const DOCUMENTS = 3;
/** Clients that share an API key. */
const CLIENTS_PER_KEY = 8;

export async function* concurrency(
  torture: Torture,
  { clients = CLIENTS, operations = torture.repetitions(OPERATIONS) } = {},
): AsyncGenerator<Check> {
  const dataDir = torture.folder();
  const server = await startChild(torture, dataDir);
  const keys: string[] = [];
  while (keys.length < clients / CLIENTS_PER_KEY) keys.push(await createKey(torture, dataDir));
  const owner = clientOf(server, keys[0]!);
  const documents: string[] = [];
  for (let index = 0; index <= DOCUMENTS; index++) documents.push(await createDocument(owner, index));
  const [standard, ...coordinated] = documents as [string, ...string[]];
  for (const id of coordinated) await coordinate(server.url, keys[0]!, id);

  const log = emptyLog();
  const shared = new Map<string, Grant>();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: clients }, (_, index) =>
      runWriter({
        ...{ name: `client ${index}`, url: server.url, key: keys[index % keys.length]! },
        ...{ coordinated, standard, operations, log, shared, random: createRandom(torture.seed + index) },
      }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const states: FinalState[] = [];
  for (const id of documents) states.push(await stateOf(owner, id));
  const violations = violationsIn(log, states);
  for (const text of [...log.unexpected, ...Object.values(violations).flat()].slice(0, 20))
    torture.note(`concurrency: ${text}`);
  await server.idle();
  await server.stop();

  const replies = [...log.replies].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, value] of replies) yield { check: name, value, unit: "replies" };
  const inLeases = log.writes.filter(({ fence }) => fence !== undefined).length;
  yield { check: "clients", value: clients, unit: "clients" };
  yield { check: "operations of all clients", value: clients * operations, unit: "operations" };
  yield { check: "time", value: seconds, unit: "s" };
  yield { check: "leases granted", value: log.grants.length, unit: "leases", atLeast: 1 };
  yield { check: "accepted writes under a lease", value: inLeases, unit: "writes", atLeast: 1 };
  yield { check: "accepted writes in standard mode", value: log.writes.length - inLeases, unit: "writes" };
  yield { check: "unexpected replies", value: log.unexpected.length, unit: "replies", atMost: 0 };
  for (const [kind, label] of Object.entries(LABELS))
    yield { check: label, value: violations[kind as keyof typeof LABELS].length, unit: "", atMost: 0 };
}

const LABELS = {
  gaps: "gaps in the chains of revisions",
  lost: "accepted writes that are lost",
  doubled: "writes that are stored twice or that nobody sent",
  notFollowing: "writes that do not follow the revision they named",
  fences: "fences granted twice or left out",
  lowFences: "writes under a fence that is not the highest granted before",
  lateWrites: "writes accepted after the end of their lease",
  sharedLeases: "leases granted while another one was held",
};

async function createDocument(owner: Client, index: number): Promise<string> {
  const body = { title: `Shared ${index}`, content: `# Shared ${index}` };
  return (await owner<{ data: { id: string } }>("POST", "/v1/documents", body)).data.id;
}

async function coordinate(url: string, key: string, id: string): Promise<void> {
  const headers = { "User-Agent": "ctxrepo-torture/1.0", Authorization: `API-Key ${key}` };
  const etag = (await fetch(`${url}/v1/documents/${id}`, { headers })).headers.get("etag")!;
  const enabled = await fetch(`${url}/v1/documents/${id}/coordination`, {
    method: "PUT",
    headers: { ...headers, "If-Match": etag },
  });
  if (!enabled.ok) throw new Error(`coordination gives ${enabled.status}`);
}

async function stateOf(owner: Client, id: string): Promise<FinalState> {
  type Page = { data: FinalState["versions"]; pagination: { cursor: string } };
  const { data } = await owner<{ data: { revision: number; content: string } }>("GET", `/v1/documents/${id}`);
  const coordination = await owner<{ data: { policy: string; fence: number } }>(
    "GET",
    `/v1/documents/${id}/coordination`,
  );
  const versions: FinalState["versions"] = [];
  let cursor = "";
  do {
    const page = await owner<Page>("GET", `/v1/documents/${id}/versions?cursor=${cursor}`);
    versions.push(...page.data);
    cursor = page.pagination.cursor;
  } while (cursor);
  const isCoordinated = coordination.data.policy === "lease_required";
  return { document: id, isCoordinated, fence: coordination.data.fence, versions, ...data };
}
