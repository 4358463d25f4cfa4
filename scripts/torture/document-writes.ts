// Requests that create, change, read and delete documents, with idempotency keys, and what their responses mean.

import { hashOf, KEYED } from "./facts.ts";
import { type Action, expectSame, expectStatus, type Shared } from "./writer.ts";

/** A client creates no more records of its kind. */
export const MAX_DOCUMENTS = 60;
/** Enough paragraphs for several groups of embedding. */
const LONG_PARAGRAPHS = 60;
const WORDS =
  "kettle windmill harbour orchard ledger invoice glacier violin compass lantern meadow quarry".split(" ");

/** The token by which each document must be found. */
export type Searchable = Map<string, string>;

export interface Document {
  id: string;
  revision: number;
  hash: string;
  etag: string | null;
}

export const pick = <Value>({ random }: Shared, values: readonly Value[]) =>
  values[Math.floor(random() * values.length)]!;

export function textWith(shared: Shared, token: string): string {
  const isLong = shared.random() < 0.05;
  const paragraph = () =>
    `The ${pick(shared, WORDS)} of ${token} is near the ${pick(shared, WORDS)}, as everybody knows.`;
  return `# About ${token}\n\n${Array.from({ length: isLong ? LONG_PARAGRAPHS : 2 }, paragraph).join("\n\n")}`;
}

/** The acknowledged state of a document: its version is a fact, and it must be found by its token. */
export function acknowledge(
  shared: Shared,
  searchable: Searchable,
  { document, token }: { document: Document; token: string },
) {
  const { id, revision, hash } = document;
  shared.facts.add({ kind: "version", document: id, version: revision, hash }, `document ${id}`);
  searchable.set(id, token);
}

/** Creates a document with a key. */
export function createAction(
  shared: Shared,
  searchable: Searchable,
  created: (document: Document) => void,
): Action {
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
export function patchAction(
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
export function readAction(document: Document): Action {
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

export function documentActions(shared: Shared, searchable: Searchable): () => Action {
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
