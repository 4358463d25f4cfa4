// The records of the store as resources: ctxrepo://documents/ID, ctxrepo://prompts/ID, ctxrepo://collections/ID.

import { hasScope } from "../auth/identity.ts";
import type { OperationCall } from "./calls.ts";
import { McpFailure, type McpSession } from "./session.ts";
import { slugOf } from "./slug.ts";
import { bold, oneLine, paragraphs } from "./tools/markdown.ts";

const PAGE = 50;
const MAX_COMPLETIONS = 100;
const MARKDOWN = "text/markdown";
/** The id may follow the words of a title, as completion returns it. */
const URI = /^ctxrepo:\/\/(documents|prompts|collections)\/(?:[^/]*-)?([0-9A-Za-z]{27})$/;

type Kind = "documents" | "prompts" | "collections";
/** The order in which resources are listed. */
const KINDS: readonly Kind[] = ["documents", "prompts", "collections"];
/** The parameter that searches the titles of a list. */
const SEARCH = { documents: "search", prompts: "q", collections: "search" } as const;

const uriOf = (kind: Kind, id: string) => `ctxrepo://${kind}/${id}`;

/** The templates; each has the argument `id`. */
export const RESOURCE_TEMPLATES = [
  { kind: "documents", title: "Document", description: "The Markdown text of a document" },
  { kind: "prompts", title: "Prompt", description: "The template of a prompt" },
  { kind: "collections", title: "Collection", description: "The items of a collection, with their URIs" },
].map(({ kind, ...described }) => ({
  uriTemplate: `ctxrepo://${kind}/{id}`,
  name: kind,
  ...described,
  mimeType: MARKDOWN,
}));

/** The result of an operation; throws McpFailure for an error status. */
export async function request(session: McpSession, operation: string, call: OperationCall) {
  const { caller, exchange, operations } = session;
  const { status, headers, body } = await operations.run(operation, call, {
    caller,
    exchange,
    isCounted: true,
  });
  if (status < 400) return body;
  const { message } = body.error;
  if (status === 404) throw new McpFailure("not-found", message);
  if (status === 429) {
    throw new McpFailure("internal", `${message}: try again in ${headers["Retry-After"]} seconds`);
  }
  throw new McpFailure(status < 500 ? "invalid-params" : "internal", message);
}

/** A page of all resources: documents, then prompts, then collections, each newest first. */
export async function listResources(session: McpSession, cursor: string | undefined) {
  const [, name = KINDS[0], after = ""] = /^(\w+):(.*)$/.exec(cursor ?? "") ?? [];
  const at = KINDS.indexOf(name as Kind);
  const kind = KINDS[at];
  if (kind === undefined || (cursor !== undefined && !cursor.includes(":"))) {
    throw new McpFailure("invalid-params", "cursor: is not one of this list");
  }
  const query = { limit: PAGE, ...(after !== "" && { cursor: after }) };
  const isReadable = hasScope(session.caller, kind === "prompts" ? "prompts.read" : "documents.read");
  const { data, pagination } = isReadable
    ? await request(session, `${kind}.list`, { query })
    : { data: [], pagination: { hasMore: false } };
  const following = KINDS[at + 1];
  const nextCursor = pagination.hasMore
    ? `${kind}:${pagination.cursor}`
    : following && following !== kind
      ? `${following}:`
      : undefined;
  return {
    // biome-ignore lint/suspicious/noExplicitAny: rows on the wire
    resources: data.map((row: any) => {
      const title = oneLine(row.title ?? row.name);
      return {
        uri: uriOf(kind, row.id),
        name: title,
        title,
        mimeType: MARKDOWN,
        ...(row.description && { description: oneLine(row.description) }),
      };
    }),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

/** The record that a URI names; undefined for any other URI. */
export function recordOf(uri: string): { kind: Kind; id: string } | undefined {
  const [, kind, id] = URI.exec(uri) ?? [];
  return kind === undefined || id === undefined ? undefined : { kind: kind as Kind, id };
}

/** The text of a resource. Throws McpFailure `not-found` for one that does not exist. */
export async function readResource(session: McpSession, uri: string) {
  const record = recordOf(uri);
  if (!record) throw new McpFailure("not-found", `there is no resource ${oneLine(uri)}`);
  const text = await textOf(session, record.kind, record.id);
  return { contents: [{ uri, mimeType: MARKDOWN, text }] };
}

async function textOf(session: McpSession, kind: Kind, id: string): Promise<string> {
  const { data } = await request(session, `${kind}.get`, { id });
  if (kind !== "collections") return data.content ?? "";
  const items = await request(session, "collections.items.list", { id, query: { limit: 100 } });
  const lines = items.data.map(
    (item: { itemType: "document" | "prompt"; itemId: string; title: string }) =>
      `- ${bold(item.title)}: ${uriOf(`${item.itemType}s`, item.itemId)}`,
  );
  return paragraphs(
    `# ${oneLine(data.name)}`,
    data.description,
    lines.join("\n"),
    items.pagination.hasMore &&
      `[${data.itemCount} items; the first ${lines.length} are listed. The tool get_collection lists all.]`,
  );
}

/** The ids of records whose title contains what the user has typed, each after the words of the title. */
export async function completeId(session: McpSession, uriTemplate: string, typed: string) {
  const kind = KINDS.find((candidate) => uriTemplate === `ctxrepo://${candidate}/{id}`);
  if (kind === undefined)
    throw new McpFailure("invalid-params", `there is no template ${oneLine(uriTemplate)}`);
  const query = { limit: MAX_COMPLETIONS, ...(typed !== "" && { [SEARCH[kind]]: typed }) };
  const { data, pagination } = await request(session, `${kind}.list`, { query });
  const values = data.map(
    ({ id, title, name }: { id: string; title?: string; name?: string }) => slugOf(title ?? name ?? "") + id,
  );
  return { values, hasMore: pagination.hasMore };
}
