// The load of the soak: streams of requests, each at a constant rate. Records are created, replaced and deleted so that
// their number stays the same.

import type { Client } from "../../bench/child-server.ts";
import type { Texts } from "./texts.ts";

/** Requests of one kind. */
export interface Stream {
  name: string;
  /** The rate limit that counts it; imports are those of a command on the same machine, which none counts. */
  tier: "read" | "write" | "scrape" | "import";
  /** Calls of `run` each minute; `requests` are sent by each, by default 1. */
  perMinute: number;
  requests?: number;
  run(): Promise<unknown>;
}

/** The ids of records that exist, oldest first. */
export interface Records {
  documents: string[];
  prompts: string[];
  scraped: string[];
  collections: string[];
}

interface Load {
  client: Client;
  texts: Texts;
  records: Records;
  pagesUrl: string;
  /** Runs `ctxrepo import` on a folder in which half of the files have changed. */
  importFolder(): Promise<unknown>;
}

interface Created {
  data: { id: string };
}
interface Found {
  data: { results: { chunkId: string }[] };
}

const SCRAPED_SHARE = 4;
/** Queries that are repeated, so that caches are used too. */
const REPEATED_QUERIES = 40;

export async function createDocument({ client, texts }: Pick<Load, "client" | "texts">): Promise<string> {
  const body = { title: texts.title(), content: texts.markdown(), tags: [texts.pick(["a", "b", "c"])] };
  return (await client<Created>("POST", "/v1/documents", body)).data.id;
}

export async function createPrompt({ client, texts }: Pick<Load, "client" | "texts">): Promise<string> {
  const body = { title: texts.title(), description: texts.query(), content: texts.markdown() };
  return (await client<Created>("POST", "/v1/prompts", body)).data.id;
}

export async function scrape({ client, pagesUrl }: Pick<Load, "client" | "pagesUrl">): Promise<string> {
  const body = { url: `${pagesUrl}/${crypto.randomUUID()}` };
  return (await client<{ data: { documentId: string } }>("POST", "/v1/documents/scrape", body)).data
    .documentId;
}

/** All streams. Together they send at 95 % of ten times the default rate limits. */
export function streamsOf(load: Load): Stream[] {
  const { client, texts, records, pagesUrl } = load;
  const repeated = Array.from({ length: REPEATED_QUERIES }, texts.query);
  const query = () => texts.pick([texts.query(), texts.pick(repeated)]);
  const search = (parameters: Record<string, string>) =>
    client("GET", `/v1/search?${new URLSearchParams(parameters)}`);
  /** The oldest are about to be deleted. */
  const document = () => texts.pick(records.documents.slice(records.documents.length / 2));
  let chunkId: string | undefined;

  return [
    { name: "search by meaning", tier: "read", perMinute: 400, run: () => search({ q: query() }) },
    {
      name: "search by text",
      tier: "read",
      perMinute: 200,
      run: () => search({ q: texts.title().slice(0, 8), semantic: "false" }),
    },
    {
      name: "explained search",
      tier: "read",
      perMinute: 150,
      run: () => search({ q: query(), explain: "true", limit: "30" }),
    },
    {
      name: "list",
      tier: "read",
      perMinute: 150,
      run: () => client("GET", texts.pick(["/v1/documents?limit=50", "/v1/prompts", "/v1/documents?tags=a"])),
    },
    { name: "read", tier: "read", perMinute: 180, run: () => client("GET", `/v1/documents/${document()}`) },
    {
      name: "versions",
      tier: "read",
      perMinute: 60,
      run: () => client("GET", `/v1/documents/${document()}/versions`),
    },
    {
      name: "search for chunks",
      tier: "write",
      perMinute: 200,
      async run() {
        const found = await client<Found>("POST", "/v1/pd/search", { query: query(), scoreThreshold: 0 });
        chunkId = found.data.results[0]?.chunkId ?? chunkId;
      },
    },
    {
      name: "expand",
      tier: "write",
      perMinute: 60,
      run: async () => chunkId && client("POST", "/v1/pd/expand", { chunkId, direction: "surrounding" }),
    },
    {
      name: "answer",
      tier: "write",
      perMinute: 60,
      run: () => client("POST", "/v1/reason", { query: query() }),
    },
    {
      name: "create and delete a document",
      tier: "write",
      perMinute: 140,
      requests: 2,
      async run() {
        records.documents.push(await createDocument(load));
        await client("DELETE", `/v1/documents/${records.documents.shift()}`);
      },
    },
    {
      name: "replace a document",
      tier: "write",
      perMinute: 100,
      run: () => client("PATCH", `/v1/documents/${document()}`, { content: texts.markdown() }),
    },
    {
      name: "create and delete a prompt",
      tier: "write",
      perMinute: 50,
      requests: 2,
      async run() {
        records.prompts.push(await createPrompt(load));
        await client("DELETE", `/v1/prompts/${records.prompts.shift()}`);
      },
    },
    {
      name: "change a collection",
      tier: "write",
      perMinute: 20,
      requests: 2,
      async run() {
        const items = { itemType: "document", itemIds: [document()] };
        const path = `/v1/collections/${texts.pick(records.collections)}/items`;
        await client("POST", path, items);
        await client("PUT", path, items);
      },
    },
    {
      name: "scrape",
      tier: "scrape",
      perMinute: 70,
      async run() {
        records.scraped.push(await scrape({ client, pagesUrl }));
        await client("DELETE", `/v1/documents/${records.scraped.shift()}`);
      },
    },
    {
      name: "refresh",
      tier: "scrape",
      perMinute: 25,
      run: () => {
        // The oldest are about to be deleted, and the newest may not be fetched yet.
        const { length } = records.scraped;
        const fetched = records.scraped.slice(length / SCRAPED_SHARE, length / 2);
        return client("POST", `/v1/documents/${texts.pick(fetched)}/refresh`).catch(acceptConflict);
      },
    },
    { name: "import", tier: "import", perMinute: 2, run: load.importFolder },
  ];
}

/** Two refreshes of one document at the same time. */
function acceptConflict(error: Error): void {
  if (!error.message.includes("returned 409")) throw error;
}
