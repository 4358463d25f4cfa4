// The mixed writes of several clients: documents, coordinated edits under leases, prompts, collections and their items, imports,
// scraped pages, and tool calls of MCP.

import { createRandom } from "../bench/random.ts";
import { type Facts, hashOf, KEYED } from "./facts.ts";
import { type Action, createWriter, expectSame, expectStatus, type Shared, type Writer } from "./writer.ts";

const LEASE_MS = 3_600_000;
const MAX_DOCUMENTS = 60;
/** Enough paragraphs for several groups of embedding. */
const LONG_PARAGRAPHS = 60;
const WORDS =
  "kettle windmill harbour orchard ledger invoice glacier violin compass lantern meadow quarry".split(" ");

interface Options {
  facts: Facts;
  seed: number;
  pagesUrl: string;
}

export interface MixedWrites {
  shared: Shared;
  writers: Writer[];
  /** The documents with the token that each must be found by. */
  searchable: Map<string, string>;
  scraped: string[];
}

/** Eight clients. */
export function mixedWrites({ facts, seed, pagesUrl }: Options): MixedWrites {
  const random = createRandom(seed);
  let tokens = 0;
  const shared: Shared = {
    facts,
    random,
    token: () => `t${seed.toString(36)}x${(++tokens).toString(36)}q`,
    pool: [],
    pagesUrl,
    counts: {
      acknowledged: 0,
      unknown: 0,
      refused: 0,
      unexplained: 0,
      repeated: 0,
      replayed: 0,
      lookedUp: 0,
    },
    wrong: [],
  };
  const searchable = new Map<string, string>();
  const scraped: string[] = [];
  const kinds = [
    () => documentActions(shared, searchable),
    () => documentActions(shared, searchable),
    () => coordinatedActions(shared, searchable),
    () => coordinatedActions(shared, searchable),
    () => promptActions(shared),
    () => collectionActions(shared),
    () => importActions(shared, searchable),
    () => mcpActions(shared, searchable),
    () => scrapeActions(shared, scraped),
  ];
  return { shared, writers: kinds.map((kind) => createWriter(shared, kind())), searchable, scraped };
}

type Searchable = Map<string, string>;

interface Document {
  id: string;
  revision: number;
  hash: string;
  etag: string | null;
}

const pick = <Value>({ random }: Shared, values: readonly Value[]) =>
  values[Math.floor(random() * values.length)]!;

function textWith(shared: Shared, token: string): string {
  const isLong = shared.random() < 0.05;
  const paragraph = () =>
    `The ${pick(shared, WORDS)} of ${token} is near the ${pick(shared, WORDS)}, as everybody knows.`;
  return `# About ${token}\n\n${Array.from({ length: isLong ? LONG_PARAGRAPHS : 2 }, paragraph).join("\n\n")}`;
}

/** The acknowledged state of a document: its version is a fact, and it must be found by its token. */
function acknowledge(
  shared: Shared,
  searchable: Searchable,
  { document, token }: { document: Document; token: string },
) {
  const { id, revision, hash } = document;
  shared.facts.add({ kind: "version", document: id, version: revision, hash }, `document ${id}`);
  searchable.set(id, token);
}

/** Creates a document with a key. */
function createAction(shared: Shared, searchable: Searchable, created: (document: Document) => void): Action {
  const key = shared.token();
  const content = textWith(shared, key);
  return {
    sent: {
      method: "POST",
      path: "/v1/documents",
      body: { title: KEYED + key, content },
      headers: { "Idempotency-Key": key },
    },
    done(received) {
      expectStatus(received, 201);
      const { id, revision } = received.body.data;
      expectSame("revision", revision, 0);
      const document = { id, revision, hash: hashOf(content), etag: null };
      shared.facts.add({ kind: "receipt", key });
      acknowledge(shared, searchable, { document, token: key });
      created(document);
    },
  };
}

/** Changes the content of a document with a key, and further headers. */
function patchAction(
  shared: Shared,
  {
    document,
    searchable,
    headers,
  }: { document: Document; searchable: Searchable; headers: Record<string, string> },
): Action {
  const key = shared.token();
  const content = textWith(shared, key);
  return {
    sent: {
      method: "PATCH",
      path: `/v1/documents/${document.id}`,
      body: { content, changeLog: KEYED + key },
      headers: { "Idempotency-Key": key, ...headers },
    },
    done(received) {
      expectStatus(received, 200);
      expectSame("revision", received.body.data.revision, document.revision + 1);
      Object.assign(document, {
        revision: document.revision + 1,
        hash: hashOf(content),
        etag: received.headers.get("ETag"),
      });
      shared.facts.add({ kind: "receipt", key });
      acknowledge(shared, searchable, { document, token: key });
    },
  };
}

/** Reads a document and compares it with what was acknowledged. */
function readAction(document: Document): Action {
  return {
    sent: { method: "GET", path: `/v1/documents/${document.id}` },
    done(received) {
      expectStatus(received, 200);
      const { revision, contentHash, content } = received.body.data;
      expectSame("revision", revision, document.revision);
      expectSame("contentHash", contentHash, document.hash);
      expectSame("hash of the content", hashOf(content), document.hash);
      document.etag = received.headers.get("ETag");
    },
  };
}

function documentActions(shared: Shared, searchable: Searchable): () => Action {
  const documents: Document[] = [];
  const removable: Document[] = [];
  return () => {
    const choice = shared.random();
    if (documents.length === 0 || (choice < 0.2 && documents.length < MAX_DOCUMENTS))
      return createAction(shared, searchable, (document) => {
        documents.push(document);
        shared.pool.push(document.id);
      });
    if (choice < 0.3) return createAction(shared, searchable, (document) => removable.push(document));
    const removed = choice < 0.4 ? removable.pop() : undefined;
    if (removed) return removeAction(shared, searchable, removed);
    const document = pick(shared, documents);
    if (choice < 0.55 || document.etag === null) return readAction(document);
    const headers: Record<string, string> = choice < 0.8 ? { "If-Match": document.etag } : {};
    return patchAction(shared, { document, searchable, headers });
  };
}

function removeAction(shared: Shared, searchable: Searchable, { id }: Document): Action {
  let attempts = 0;
  return {
    sent: { method: "DELETE", path: `/v1/documents/${id}` },
    begin() {
      shared.facts.end(`document ${id}`);
      searchable.delete(id);
    },
    lookUp() {
      attempts++;
      return this;
    },
    done(received) {
      expectStatus(received, attempts > 0 && received.status === 404 ? 404 : 200);
      shared.facts.add({ kind: "gone", document: id });
    },
  };
}

/** One document in the mode lease_required: acquire, some edits, a renewal, release, and again. */
function coordinatedActions(shared: Shared, searchable: Searchable): () => Action {
  let document: Document | undefined;
  let isEnabled = false;
  let fence = 0;
  let leaseId: string | null = null;
  let edits = 0;
  const leaseHeaders = () => ({ "X-Service-Lease-Id": leaseId!, "X-Service-Lease-Fence": String(fence) });
  const lease = (
    id: string,
    action: string,
    then: (data: { leaseId: string; fence: number }) => void,
  ): Action => {
    const key = shared.token();
    return {
      sent: {
        method: "POST",
        path: `/v1/documents/${id}/coordination/lease`,
        body: { action, ...(action !== "release" && { ttlMs: LEASE_MS }) },
        headers: { "Idempotency-Key": key, ...(action !== "acquire" && leaseHeaders()) },
      },
      begin: () => shared.facts.end(`lease ${id}`),
      done(received) {
        expectStatus(received, 200);
        then(received.body.data);
        shared.facts.add({ kind: "fence", document: id, fence, leaseId }, `lease ${id}`);
        shared.facts.add({ kind: "receipt", key });
      },
    };
  };
  return () => {
    if (!document) return createAction(shared, searchable, (created) => void (document = created));
    const { id, etag } = document;
    if (etag === null) return readAction(document);
    if (!isEnabled)
      return {
        sent: { method: "PUT", path: `/v1/documents/${id}/coordination`, headers: { "If-Match": etag } },
        done(received) {
          expectStatus(received, 200);
          isEnabled = true;
        },
      };
    if (leaseId === null)
      return lease(id, "acquire", (data) => {
        expectSame("fence", data.fence, fence + 1);
        ({ fence, leaseId } = data);
        edits = 1 + Math.floor(shared.random() * 5);
      });
    if (edits-- > 0) {
      if (shared.random() < 0.2) return lease(id, "renew", (data) => expectSame("fence", data.fence, fence));
      return patchAction(shared, { document, searchable, headers: { "If-Match": etag, ...leaseHeaders() } });
    }
    return lease(id, "release", () => {
      leaseId = null;
    });
  };
}

/** Looks for a record by its unique title, because its creation has no key: it exists once, or is created again. */
function findAction(path: string, create: Action, found: (row: { id: string }) => void): Action {
  return {
    sent: { method: "GET", path },
    done(received) {
      expectStatus(received, 200);
      const { data } = received.body;
      if (data.length > 1) throw new Error(`${data.length} records of one request`);
      if (data.length === 0) return create;
      found(data[0]);
    },
  };
}

function promptActions(shared: Shared): () => Action {
  const prompts: { id: string; version: number }[] = [];
  const created = (id: string, content: string) => {
    prompts.push({ id, version: 1 });
    shared.facts.add({ kind: "prompt version", prompt: id, version: 1, content });
  };
  return () => {
    const token = shared.token();
    const content = `Explain ${token} to \${name}.`;
    const prompt = pick(shared, prompts);
    if (!prompt || (shared.random() < 0.2 && prompts.length < MAX_DOCUMENTS)) {
      const action: Action = {
        sent: {
          method: "POST",
          path: "/v1/prompts",
          body: { title: token, description: `About ${token}`, content },
        },
        done(received) {
          expectStatus(received, 201);
          created(received.body.data.id, content);
        },
        lookUp: () => findAction(`/v1/prompts?q=${token}`, action, ({ id }) => created(id, content)),
      };
      return action;
    }
    // Without a key: a second execution with the same content changes nothing.
    return {
      sent: { method: "PATCH", path: `/v1/prompts/${prompt.id}`, body: { content } },
      done(received) {
        expectStatus(received, 200);
        prompt.version++;
        expectSame("currentVersion", received.body.data.currentVersion, prompt.version);
        shared.facts.add({ kind: "prompt version", prompt: prompt.id, version: prompt.version, content });
      },
    };
  };
}

function collectionActions(shared: Shared): () => Action {
  const { facts } = shared;
  const collections: { id: string; items: Set<string> }[] = [];
  const named = (collection: string, name: string) =>
    facts.add({ kind: "collection", collection, name }, `collection ${collection}`);
  const created = (id: string, name: string) => {
    collections.push({ id, items: new Set() });
    named(id, name);
  };
  return () => {
    const name = shared.token();
    const collection = pick(shared, collections);
    const choice = shared.random();
    if (!collection || (choice < 0.1 && collections.length < MAX_DOCUMENTS)) {
      const action: Action = {
        sent: { method: "POST", path: "/v1/collections", body: { name } },
        done(received) {
          expectStatus(received, 201);
          created(received.body.data.id, name);
        },
        lookUp: () => findAction(`/v1/collections?search=${name}`, action, ({ id }) => created(id, name)),
      };
      return action;
    }
    const { id, items } = collection;
    const record = pick(shared, shared.pool);
    if (choice < 0.3 || record === undefined)
      return {
        sent: { method: "PATCH", path: `/v1/collections/${id}`, body: { name } },
        begin: () => facts.end(`collection ${id}`),
        done(received) {
          expectStatus(received, 200);
          named(id, name);
        },
      };
    const isPresent = !items.has(record);
    return {
      sent: {
        method: isPresent ? "POST" : "PUT",
        path: `/v1/collections/${id}/items`,
        body: { itemIds: [record], itemType: "document" },
      },
      begin: () => facts.end(`item ${id} ${record}`),
      done(received) {
        expectStatus(received, 200);
        if (isPresent) items.add(record);
        else items.delete(record);
        facts.add({ kind: "item", collection: id, record, isPresent }, `item ${id} ${record}`);
      },
    };
  };
}

/** What unkeyed edits have in common: their outcome is found by reading the document. */
function unkeyedEdit(
  shared: Shared,
  {
    document,
    searchable,
    edit,
  }: { document: Document; searchable: Searchable; edit: (content: string) => Action["sent"] },
): Action {
  const token = shared.token();
  const content = textWith(shared, token);
  const hash = hashOf(content);
  const changed = () => {
    Object.assign(document, { revision: document.revision + 1, hash, etag: null });
    acknowledge(shared, searchable, { document, token });
  };
  return {
    sent: edit(content),
    done(received) {
      expectStatus(received, 200);
      const { data, result } = received.body;
      expectSame("revision", (data ?? result?.structuredContent)?.revision, document.revision + 1);
      changed();
    },
    lookUp: () => ({
      ...readAction(document),
      done(received) {
        const isChanged = received.body.data?.revision === document.revision + 1;
        if (isChanged) changed();
        readAction(document).done(received);
      },
    }),
  };
}

/** The requests of `ctxrepo import`: without keys, because the next run finds what the last one has done. */
function importActions(shared: Shared, searchable: Searchable): () => Action {
  const documents: Document[] = [];
  return () => {
    const document = pick(shared, documents);
    if (!document || (shared.random() < 0.3 && documents.length < MAX_DOCUMENTS)) {
      const token = shared.token();
      const content = textWith(shared, token);
      const metadata = { importPath: `/home/me/${token}.md`, importHash: hashOf(content) };
      const body = { title: token, content, sourceType: "import", metadata };
      return unkeyedCreate(shared, {
        token,
        content,
        documents,
        searchable,
        sent: { method: "POST", path: "/v1/documents", body },
      });
    }
    if (document.etag === null) return readAction(document);
    const headers = { "If-Match": document.etag };
    const path = `/v1/documents/${document.id}`;
    return unkeyedEdit(shared, {
      document,
      searchable,
      edit: (content) => ({ method: "PATCH", path, body: { content }, headers }),
    });
  };
}

/** Tool calls, which have no keys. */
function mcpActions(shared: Shared, searchable: Searchable): () => Action {
  const documents: Document[] = [];
  const call = (name: string, given: object): Action["sent"] => ({
    method: "POST",
    path: "/mcp?tools=all",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
  });
  return () => {
    const document = pick(shared, documents);
    if (!document || (shared.random() < 0.2 && documents.length < MAX_DOCUMENTS)) {
      const token = shared.token();
      const content = textWith(shared, token);
      const sent = call("create_document", { title: token, content });
      return unkeyedCreate(shared, { token, content, documents, searchable, sent });
    }
    const { id: documentId, revision: expectedRevision } = document;
    const edit = (content: string) => call("update_document", { documentId, content, expectedRevision });
    return unkeyedEdit(shared, { document, searchable, edit });
  };
}

interface UnkeyedCreate {
  token: string;
  content: string;
  documents: Document[];
  searchable: Searchable;
  sent: Action["sent"];
}

function unkeyedCreate(
  shared: Shared,
  { token, content, documents, searchable, sent }: UnkeyedCreate,
): Action {
  const created = (id: string) => {
    const document = { id, revision: 0, hash: hashOf(content), etag: null };
    documents.push(document);
    acknowledge(shared, searchable, { document, token });
  };
  const action: Action = {
    sent,
    done(received) {
      const { data, result } = received.body;
      const id = data?.id ?? result?.structuredContent?.documentId;
      if (typeof id !== "string") throw new Error("no document was created");
      created(id);
    },
    lookUp: () => findAction(`/v1/documents?search=${token}`, action, ({ id }) => created(id)),
  };
  return action;
}

function scrapeActions(shared: Shared, scraped: string[]): () => Action {
  return () => {
    const existing = pick(shared, scraped);
    if (existing !== undefined && shared.random() < 0.7)
      return {
        sent: { method: "GET", path: `/v1/documents/${existing}` },
        done: (received) => expectStatus(received, 200),
      };
    const key = shared.token();
    return {
      sent: {
        method: "POST",
        path: "/v1/documents/scrape",
        body: { url: `${shared.pagesUrl}/${key}` },
        headers: { "Idempotency-Key": key },
      },
      done(received) {
        expectStatus(received, 202);
        const { documentId: document } = received.body.data;
        scraped.push(document);
        shared.facts.add({ kind: "receipt", key });
        shared.facts.add({ kind: "document", document }, `document ${document}`);
      },
    };
  };
}
