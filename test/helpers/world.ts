// Records for generated requests, reached through the API only: ids and ETags from earlier replies are used in later
// requests.

import type { Drawn } from "./generate.ts";
import { isDrawn } from "./generate.ts";
import { type Client, type Reply, type Started, USER_AGENT } from "./start.ts";

const UNKNOWN = "0".repeat(27);
/** The number of full records of a kind: few, so that several requests use the same record. */
const RECORDS_PER_KIND = 4;
/** One of so many picks is an unknown id, another one a record of another user. */
const STRAY = 7;

type Kind = "document" | "prompt" | "collection" | "chunk" | "session";

/** An item of a list that has at least one. */
function pickOf<Item>(items: readonly Item[], pick: number): Item {
  const item = items[pick % items.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

export interface World {
  /** An id for the record that a path names. */
  idFor(path: string, pick: number, ownOnly: boolean): Promise<string>;
  /** Replaces the placeholders in a value. `id` is the record in the path, if it has one. */
  fill(value: unknown, id: string | undefined, ownOnly: boolean): Promise<unknown>;
  /** Records the ids and leases of a reply for later requests. */
  learn(operationId: string, id: string | undefined, reply: Reply): void;
}

const TEXT =
  "# Tea\n\nThe kettle whistles when the water boils.\n\n# Bread\n\nLet the dough rise. Bake it.\n\nEat it.";

/** Creates and indexes records of the owner, some of them coordinated, and of another user. */
export async function makeWorld(started: Started): Promise<World> {
  const { client } = started;
  const none = (): Record<Kind, string[]> => ({
    document: [],
    prompt: [],
    collection: [],
    chunk: [],
    session: [],
  });
  /** The owner's records: those created here, with all members, and those that generated requests created. */
  const own = none();
  const learned = none();
  const foreign = none();
  const leases = new Map<string, { leaseId: string; fence: number }>();

  const common = { tags: ["a", "b"], workspaceId: "kitchen" };
  const prompt = {
    title: "Kettle",
    description: "d",
    content: "water boils",
    variables: [{ name: "v", type: "string" }],
  };
  const made: Partial<Record<Kind, (sender: Client, isPublic: boolean) => Promise<Reply>>> = {
    document: (sender) => sender("POST", "/v1/documents", { title: "Kitchen", content: TEXT, ...common }),
    prompt: (sender, isPublic) => sender("POST", "/v1/prompts", { ...prompt, ...common, isPublic }),
    collection: (sender, isPublic) =>
      sender("POST", "/v1/collections", { name: "Kitchen", ...common, isPublic }),
    session: (sender) => sender("POST", "/v1/pd/session", {}),
  };
  const make = async (kind: Kind, into: typeof own, sender = client, isPublic = false) => {
    const { data } = (await made[kind]!(sender, isPublic)).body;
    into[kind].push(data.id ?? data.sessionId);
  };
  const stranger = started.clientOf("stranger@example.org");
  for (const kind of ["document", "prompt", "collection", "session"] as const) {
    await make(kind, own);
    await make(kind, foreign, stranger);
    await make(kind, foreign, stranger, true);
  }
  const items = { itemType: "document", itemIds: own.document };
  await client("POST", `/v1/collections/${own.collection[0]}/items`, items);
  await started.settle();
  const findChunks = async (sender: Client) => {
    const found = await sender("POST", "/v1/pd/search", { query: "water kettle boils dough" });
    return found.body.data.results.map(({ chunkId }: { chunkId: string }) => chunkId) as string[];
  };
  foreign.chunk = await findChunks(stranger);

  /** Creates records until a kind has enough: deletions remove records, and new texts their chunks. */
  const replenish = async (kind: Kind) => {
    while (made[kind] && own[kind].length < RECORDS_PER_KIND) await make(kind, own);
    if (kind !== "chunk") return;
    own.chunk = await findChunks(client);
    if (own.chunk.length > 0) return;
    await make("document", own);
    await started.settle();
    own.chunk = await findChunks(client);
  };
  const idOf = async (kind: Kind, pick: number, ownOnly: boolean) => {
    await replenish(kind);
    if (!ownOnly && pick % STRAY === 0) return UNKNOWN;
    if (!ownOnly && pick % STRAY === 1) return pickOf(foreign[kind], pick);
    const pool = pick % STRAY === 2 && learned[kind].length > 0 ? learned[kind] : own[kind];
    return pickOf(pool, pick);
  };
  const current = async (id: string | undefined) => {
    const { headers, body } = await client("GET", `/v1/documents/${id}`);
    return { etag: headers.get("etag") ?? '"none"', revision: (body.data?.revision ?? 0) as number };
  };
  const versionOf = async (id: string | undefined, pick: number) => {
    for (const list of ["documents", "prompts"]) {
      const { body } = await client("GET", `/v1/${list}/${id}/versions`);
      if (body.data) return pickOf(body.data as { id: string }[], pick).id;
    }
    return UNKNOWN;
  };
  const titleOf = async (pick: number) => {
    const kind = pickOf(["document", "prompt", "collection"] as const, pick);
    const { data } = (await client("GET", `/v1/${kind}s/${await idOf(kind, pick, true)}`)).body;
    return (data.title ?? data.name) as string;
  };
  const draw = async ({ $from, pick }: Drawn, id: string | undefined, item: Kind, ownOnly: boolean) => {
    const lease = leases.get(id ?? "");
    switch ($from) {
      case "etag":
        return (await current(id)).etag;
      case "revision":
        return (await current(id)).revision;
      case "title":
        return titleOf(pick);
      case "version":
        return versionOf(id, pick);
      case "leaseId":
        return lease?.leaseId ?? UNKNOWN;
      case "fence":
        return String(lease?.fence ?? 0);
      case "item":
        return idOf(item, pick, ownOnly);
      default:
        return idOf($from as Kind, pick, ownOnly);
    }
  };

  /** Documents that can be refreshed. */
  const scraped: string[] = [];
  const scrape = async (pick: number) => {
    if (scraped.length < RECORDS_PER_KIND) {
      const { body } = await client("POST", "/v1/documents/scrape", { url: "https://kettles.example/" });
      scraped.push(body.data.documentId);
      await started.settle();
    }
    return pickOf(scraped, pick);
  };

  const coordinate = async (id: string) => {
    const { etag } = await current(id);
    await client("PUT", `/v1/documents/${id}/coordination`, {}, { "If-Match": etag });
  };

  const world: World = {
    async idFor(path, pick, ownOnly) {
      const [, , list = ""] = path.split("/");
      const kind = list === "pd" ? "chunk" : (list.replace(/s$/, "") as Kind);
      const id = await idOf(kind, pick, ownOnly);
      if (path.endsWith("/lease")) await coordinate(id);
      const isOwn = id !== UNKNOWN && !foreign[kind].includes(id);
      if (path.endsWith("/refresh") && isOwn) return scrape(pick);
      return id;
    },
    async fill(value, id, ownOnly) {
      const item = (value as { itemType?: Kind } | null)?.itemType ?? "document";
      const within = async (inner: unknown): Promise<unknown> => {
        if (isDrawn(inner)) return draw(inner, id, item, ownOnly);
        if (Array.isArray(inner)) return Promise.all(inner.map(within));
        if (typeof inner !== "object" || inner === null) return inner;
        const members = Object.entries(inner).map(
          async ([name, member]) => [name, await within(member)] as const,
        );
        return Object.fromEntries(await Promise.all(members));
      };
      return within(value);
    },
    learn(operationId, id, { status, body }) {
      if (status >= 300) return;
      const created = /^(\w+)sCreate$/.exec(operationId)?.[1] as Kind | undefined;
      if (created) learned[created].push(body.data.id);
      const deleted = /^(\w+)sDelete$/.exec(operationId)?.[1] as Kind | undefined;
      if (deleted)
        for (const pool of [own, learned]) pool[deleted] = pool[deleted].filter((one) => one !== id);
      if (operationId === "pdSession") learned.session.push(body.data.sessionId);
      if (operationId === "coordinationLease" && body.data.leaseId) leases.set(id!, body.data);
    },
  };

  // One document has a lease from the start, so that writes meet a lease before the lease operations are called.
  await replenish("document");
  const id = pickOf(own.document, 0);
  await coordinate(id);
  const lease = await client(
    "POST",
    `/v1/documents/${id}/coordination/lease`,
    { action: "acquire", ttlMs: 3_600_000 },
    { "Idempotency-Key": crypto.randomUUID() },
  );
  world.learn("coordinationLease", id, lease);
  return world;
}

/** As a header's value: this header, which every request has, is not sent. */
export const LEFT_OUT = "\0";

/** One request as it goes over the wire. */
export interface Sent {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

export async function send(started: Started, { method, target, headers, body }: Sent): Promise<Reply> {
  const all: Record<string, string> = {
    "User-Agent": USER_AGENT,
    Authorization: `API-Key ${started.key.key}`,
    ...(body !== undefined && { "Content-Type": "application/json" }),
    ...headers,
  };
  const request = new Request(started.url + target, {
    method,
    headers: Object.entries(all).filter(([, value]) => value !== LEFT_OUT),
    body,
  });
  const response = await started.send(request);
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json" && text !== "";
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
