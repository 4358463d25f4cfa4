// Requests without idempotency keys: those of prompts, of imports and of MCP. If the outcome of one is unknown, it is
// looked up.

import {
  acknowledge,
  type Document,
  MAX_DOCUMENTS,
  pick,
  readAction,
  type Searchable,
  textWith,
} from "./document-writes.ts";
import { hashOf } from "./facts.ts";
import { type Action, expectSame, expectStatus, type Shared } from "./writer.ts";

/** Looks for a record by its unique title, because its creation has no key: it exists once, or is created again. */
export function findAction(path: string, create: Action, found: (row: { id: string }) => void): Action {
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

export function promptActions(shared: Shared): () => Action {
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
export function importActions(shared: Shared, searchable: Searchable): () => Action {
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
export function mcpActions(shared: Shared, searchable: Searchable): () => Action {
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
