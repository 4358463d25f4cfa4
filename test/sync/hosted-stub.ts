// A server of the API as its specification describes the hosted service, with the variants that it declares: spellings
// of fields, forms of timestamps, where versions start, and fields that POST ignores. In memory.

import { sha256Hex } from "../../src/kernel/hash.ts";
import type { Clock } from "../../src/kernel/clock.ts";

interface Variants {
  /** The second of the declared spellings: `versionId`, `id` and `type` of items, ISO timestamps, `currentVersion`. */
  isSecondSpelling: boolean;
  firstVersion: 0 | 1;
  /** Whether POST rejects fields that the specification does not list; otherwise it ignores them. */
  rejectsUnknown: boolean;
  clock: Clock;
  /** Requests per minute. */
  limits: { read: number; write: number };
}

// biome-ignore lint/suspicious/noExplicitAny: records of three kinds
type Row = Record<string, any>;

const KEY = "ak_hosted-service-key";
const POSTED: Record<string, string[]> = {
  documents: ["title", "content", "tags", "collectionIds", "workspaceId"],
  prompts: [
    "title",
    "description",
    "content",
    "tags",
    "variables",
    "parameters",
    "collectionIds",
    "workspaceId",
  ],
  collections: ["name", "description", "color", "icon", "parentCollectionId", "tags", "workspaceId"],
};
const PATCHED: Record<string, string[]> = {
  documents: ["title", "content", "contentHtml", "rawHtml", "sourceUrl", "metadata", "tags", "status"],
  prompts: ["title", "description", "content", "tags", "variables", "parameters"],
  collections: ["name", "description", "color", "icon", "isPublic", "tags"],
};
const LISTED: Record<string, string[]> = {
  documents: ["id", "title", "status", "isArchived", "tags", "updatedAt"],
  prompts: ["id", "title", "description", "tags", "updatedAt", "currentVersion"],
  collections: [
    "id",
    "name",
    "description",
    "color",
    "icon",
    "isPublic",
    "tags",
    "itemCount",
    "lastActivityAt",
  ],
};
const VERSIONED = ["content", "title", "contentHtml", "rawHtml", "sourceUrl", "metadata", "tags"];

export type HostedStub = ReturnType<typeof hostedStub>;

/** Starts the stub; `stop` ends it. */
export function hostedStub({ isSecondSpelling, firstVersion, rejectsUnknown, clock, limits }: Variants) {
  const rows: Record<string, Map<string, Row>> = {
    documents: new Map(),
    prompts: new Map(),
    collections: new Map(),
  };
  const receipts = new Map<string, { id: string; body: string }>();
  const sent: Record<"read" | "write", number[]> = { read: [], write: [] };
  const requests: string[] = [];
  let lastTime = 0;
  let ids = 0;
  let refused = 0;

  // Not sortable, and shorter than a KSUID could be read.
  const newId = () => `Z${(++ids * 7919).toString(36).padStart(26, "q")}`;
  const now = () => {
    lastTime = Math.max(clock.now(), lastTime + 1);
    return isSecondSpelling ? new Date(lastTime).toISOString() : lastTime;
  };
  const etagOf = (row: Row) => `"${row.id}-${row.revision}-${row.status}"`;

  const window = (tier: "read" | "write") => {
    sent[tier] = sent[tier].filter((at) => at > clock.now() - 60_000);
    const oldest = sent[tier][0] ?? clock.now();
    return { remaining: limits[tier] - sent[tier].length, reset: oldest + 60_000 };
  };
  const headersOf = (tier: "read" | "write") => {
    const { remaining, reset } = window(tier);
    const values = {
      Limit: limits[tier],
      Remaining: Math.max(0, remaining),
      Reset: new Date(reset).toISOString(),
    };
    const prefixes = isSecondSpelling ? ["X-RateLimit-"] : ["RateLimit-", "X-RateLimit-"];
    return Object.fromEntries(
      prefixes.flatMap((prefix) =>
        Object.entries(values).map(([name, value]) => [prefix + name, String(value)]),
      ),
    );
  };
  const fail = (code: number, message: string) => ({ status: code, body: { error: { code, message } } });

  const wire = (kind: string, row: Row, members?: string[]): Row => {
    const { versions, items, ...fields } = row;
    const shown: Row = { ...fields, unknownMember: { nested: [1] }, itemCount: items?.length };
    if (kind === "documents" && isSecondSpelling) delete shown.revision;
    if (kind === "documents") shown.currentVersion = row.revision;
    return members ? Object.fromEntries(members.map((name) => [name, shown[name]])) : shown;
  };

  const snapshot = (row: Row) =>
    row.versions.unshift({ id: newId(), content: row.content, version: row.versions.length });

  const create = (kind: string, body: Row): Row => {
    const given = Object.fromEntries(Object.entries(body).filter(([name]) => POSTED[kind]!.includes(name)));
    const times = { createdAt: now(), updatedAt: now() };
    const row: Row = { id: newId(), tags: [], ...given, ...times, versions: [] };
    if (kind === "collections") Object.assign(row, { isPublic: false, items: [], lastActivityAt: now() });
    if (kind === "documents")
      Object.assign(row, { status: "draft", isArchived: false, revision: 0, metadata: {} });
    if (kind === "prompts")
      Object.assign(row, {
        variables: row.variables ?? [],
        parameters: row.parameters ?? {},
        currentVersion: firstVersion,
      });
    if (kind !== "collections") snapshot(row);
    rows[kind]!.set(row.id, row);
    return row;
  };

  const patch = (kind: string, row: Row, body: Row) => {
    const changed = PATCHED[kind]!.filter(
      (name) => body[name] !== undefined && !Bun.deepEquals(body[name], row[name]),
    );
    for (const name of changed) {
      if (body[name] === null) delete row[name];
      else row[name] = body[name];
    }
    if (changed.length === 0) return;
    if (kind === "documents") {
      if (changed.some((name) => VERSIONED.includes(name))) {
        row.revision++;
        snapshot(row);
      }
      row.isArchived = row.status === "archived";
    } else if (kind === "prompts" && changed.includes("content")) {
      row.currentVersion++;
      snapshot(row);
    } else if (kind === "collections") row.lastActivityAt = now();
    row.updatedAt = now();
  };

  /** A page of a list, whose cursor is an offset in base64. */
  const page = (list: Row[], query: URLSearchParams) => {
    const limit = Number(query.get("limit") ?? 20);
    if (!(limit >= 1 && limit <= 100)) return fail(400, "limit");
    const from = Number(atob(query.get("cursor") ?? "") || 0);
    const hasMore = from + limit < list.length;
    const pagination = { cursor: hasMore ? btoa(String(from + limit)) : "", hasMore };
    return { status: 200, body: { data: list.slice(from, from + limit), pagination } };
  };

  const items = (row: Row, method: string, { body, query }: { body: Row; query: URLSearchParams }) => {
    if (method === "GET") {
      const shown = row.items.map(({ id, kind }: Row) =>
        isSecondSpelling
          ? { id, type: kind, title: "", preview: "", addedAt: row.updatedAt }
          : { itemId: id, itemType: kind, title: "", summary: null },
      );
      return page(shown, query);
    }
    const { itemIds, itemType } = body as { itemIds: string[]; itemType: string };
    const present = itemIds.filter((id) => row.items.some((item: Row) => item.id === id));
    row.lastActivityAt = now();
    if (method === "PUT") {
      row.items = row.items.filter((item: Row) => !itemIds.includes(item.id));
      return { status: 200, body: { data: { removed: present.length } } };
    }
    if (itemIds.some((id) => !rows[`${itemType}s`]!.has(id))) return fail(404, "item not found");
    for (const id of itemIds) if (!present.includes(id)) row.items.push({ id, kind: itemType });
    const already = isSecondSpelling ? "alreadyPresent" : "alreadyInCollection";
    return {
      status: 200,
      body: { data: { added: itemIds.length - present.length, [already]: present.length } },
    };
  };

  const post = (kind: string, body: Row, key: string | null) => {
    if (rejectsUnknown && Object.keys(body).some((name) => !POSTED[kind]!.includes(name)))
      return fail(400, "unknown field");
    const text = JSON.stringify(body);
    const receipt = kind === "documents" && key !== null ? receipts.get(key) : undefined;
    if (receipt && receipt.body !== text) return fail(422, "IDEMPOTENCY_KEY_REUSED");
    const row = receipt ? rows[kind]!.get(receipt.id)! : create(kind, body);
    if (key !== null) receipts.set(key, { id: row.id, body: text });
    const data =
      kind === "documents" ? { id: row.id, currentVersion: row.revision, noop: false } : wire(kind, row);
    return { status: 201, body: { data } };
  };

  const answer = (method: string, url: URL, { headers, body }: { headers: Headers; body: Row }) => {
    const [, , kind = "", id, part] = url.pathname.split("/");
    if (kind === "user") {
      const permissions = ["documents.write", "prompts.write"];
      return { status: 200, body: { data: { kind: "machine", userId: "user_2hosted", permissions } } };
    }
    const table = rows[kind];
    if (!table) return fail(404, "not found");
    if (id === undefined) {
      if (method === "POST") return post(kind, body, headers.get("idempotency-key"));
      const all = [...table.values()].filter(
        (row) => row.isArchived !== true || url.searchParams.has("includeArchived"),
      );
      return page(
        all.map((row) => wire(kind, row, LISTED[kind])),
        url.searchParams,
      );
    }
    const row = table.get(id);
    if (!row) return fail(404, "not found");
    if (part === "items") return items(row, method, { body, query: url.searchParams });
    if (part === "versions") {
      const shown = row.versions.map(({ id: versionId, content, version }: Row) =>
        isSecondSpelling
          ? { versionId, preview: content.slice(0, 200), version }
          : { id: versionId, content, version },
      );
      return { status: 200, body: { data: shown } };
    }
    if (method === "DELETE") {
      if (kind === "collections" && row.items.length > 0) return fail(409, "the collection is not empty");
      table.delete(id);
      return { status: 200, body: { success: true, id } };
    }
    const headersOfRow = kind === "documents" ? { ETag: etagOf(row) } : {};
    if (method === "GET") {
      const data = wire(kind, row);
      if (url.searchParams.get("includeContent") === "false") delete data.content;
      if (kind === "documents") data.contentHash = sha256Hex(row.content);
      return { status: 200, body: { data }, headers: headersOfRow };
    }
    const condition = headers.get("if-match");
    if (kind === "documents" && condition !== null && condition !== etagOf(row))
      return fail(412, "REVISION_MISMATCH");
    patch(kind, row, body);
    const data = kind === "documents" ? { id, currentVersion: row.revision, noop: false } : wire(kind, row);
    return { status: 200, body: { data }, headers: kind === "documents" ? { ETag: etagOf(row) } : {} };
  };

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const url = new URL(request.url);
      requests.push(`${request.method} ${url.pathname}`);
      if (/^(Bun|node|undici)?(\/|$)/i.test(request.headers.get("user-agent") ?? ""))
        return new Response("error code: 1010", { status: 403 });
      if (request.headers.get("authorization") !== `Bearer ${KEY}`)
        return Response.json(fail(401, "key").body, { status: 401 });
      const tier = request.method === "GET" ? "read" : "write";
      if (window(tier).remaining <= 0) {
        refused++;
        const seconds = Math.max(1, Math.ceil((window(tier).reset - clock.now()) / 1_000));
        return Response.json(fail(429, "rate limit").body, {
          status: 429,
          headers: { ...headersOf(tier), "Retry-After": String(seconds) },
        });
      }
      sent[tier].push(clock.now());
      const text = await request.text();
      const body = text === "" ? {} : JSON.parse(text);
      const reply: { status: number; body: object; headers?: object } = answer(request.method, url, {
        headers: request.headers,
        body,
      });
      return Response.json(reply.body, {
        status: reply.status,
        headers: { "X-API-Version": "v1", Deprecation: "?0", ...headersOf(tier), ...reply.headers },
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    key: KEY,
    rows,
    create,
    patch,
    requests,
    /** How many requests were refused with 429. */
    refused: () => refused,
    stop: () => server.stop(true),
  };
}
