// The user of one server: creates and edits records so that every edit can be found again. Each record has a line that
// names it and is never changed; each edit inserts a line of its own and removes none.

import type { Kind } from "../../../src/sync/records.ts";

export type Api = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: replies of several shapes
) => Promise<{ status: number; headers: Headers; body: any }>;

export interface Held {
  kind: Kind;
  id: string;
  /** The line that names the record; of a collection its name. */
  name: string;
  /** Title, text, tags and members, without what differs between servers. */
  state: string;
  /** The lines of edits. */
  edits: Set<string>;
  isArchived: boolean;
}

/** What the users of both servers have done and must be found again. */
export interface Journal {
  /** Edits that a server has acknowledged, by the record's name. */
  edits: Map<string, Set<string>>;
  /** Records that were deleted on one of the servers. */
  deleted: Set<string>;
}

const MARKS = 6;
const MAX_TRIES = 20;
const PATHS: Record<Kind, string> = {
  document: "/v1/documents",
  prompt: "/v1/prompts",
  collection: "/v1/collections",
};

const nameIn = (content: string) => /^name: (\S+)$/m.exec(content)?.[1] ?? "";
const editsIn = (content: string) => new Set(content.match(/^edit \S+$/gm) ?? []);

function newContent(name: string): string {
  const marks = Array.from({ length: MARKS }, (_, index) => `mark ${index}\n\nspace\n`);
  return `name: ${name}\n\n${marks.join("\n")}`;
}

async function data(api: Api, method: string, path: string, body?: unknown) {
  const reply = await api(method, path, body);
  if (reply.status >= 300)
    throw new Error(`${method} ${path} gives ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}

/** The ids of a list. */
async function idsOf(api: Api, path: string, query = ""): Promise<string[]> {
  const ids: string[] = [];
  let cursor = "";
  do {
    const { status, body } = await api("GET", `${path}?limit=100&cursor=${cursor}${query}`);
    if (status !== 200) throw new Error(`${path} gives ${status}`);
    ids.push(...body.data.map((item: { id?: string; itemId?: string }) => item.itemId ?? item.id));
    ({ cursor } = body.pagination);
  } while (cursor);
  return ids;
}

/** Everything that a server holds, by the records' names. A name that occurs twice is two records. */
export async function heldBy(api: Api): Promise<Held[]> {
  const held: Held[] = [];
  const names = new Map<string, string>();
  for (const kind of ["document", "prompt"] as const) {
    for (const id of await idsOf(api, PATHS[kind], kind === "document" ? "&includeArchived=true" : "")) {
      const { title, content, tags, isArchived } = await data(api, "GET", `${PATHS[kind]}/${id}`);
      const name = nameIn(content);
      names.set(id, name);
      const state = JSON.stringify({ title, content, tags: tags.toSorted() });
      held.push({ kind, id, name, state, edits: editsIn(content), isArchived });
    }
  }
  for (const id of await idsOf(api, PATHS.collection)) {
    const { name, description } = await data(api, "GET", `${PATHS.collection}/${id}`);
    const members = (await idsOf(api, `${PATHS.collection}/${id}/items`)).map(
      (member) => names.get(member) ?? "?",
    );
    const state = JSON.stringify({ name, description: description ?? "", members: members.sort() });
    held.push({ kind: "collection", id, name, state, edits: new Set(), isArchived: false });
  }
  return held;
}

interface Editing {
  api: Api;
  journal: Journal;
  random: () => number;
}

/** Does one thing that users do. */
export async function editOnce({ api, journal, random }: Editing, documentsOnly: boolean): Promise<void> {
  const choice = documentsOnly ? random() * 0.7 : random();
  const kind = documentsOnly || random() < 0.7 ? "document" : "prompt";
  if (choice < 0.2) return createRecord(api, kind, journal);
  if (choice < 0.7) return insertLine({ api, journal, random }, kind);
  const id = pick(await idsOf(api, PATHS[kind]), random);
  if (choice < 0.75)
    return void (await data(api, "POST", PATHS.collection, { name: `collection ${crypto.randomUUID()}` }));
  const collection = pick(await idsOf(api, PATHS.collection), random);
  if (id === undefined) return;
  if (choice < 0.9 && collection !== undefined) {
    const method = random() < 0.7 ? "POST" : "PUT";
    return void (await data(api, method, `${PATHS.collection}/${collection}/items`, {
      itemIds: [id],
      itemType: kind,
    }));
  }
  if (choice < 0.96)
    return void (await api("PATCH", `${PATHS[kind]}/${id}`, { tags: [`tag-${Math.floor(random() * 5)}`] }));
  const { content } = await data(api, "GET", `${PATHS[kind]}/${id}`);
  journal.deleted.add(nameIn(content));
  await api("DELETE", `${PATHS[kind]}/${id}`);
}

const pick = <Item>(items: readonly Item[], random: () => number): Item | undefined =>
  items[Math.floor(random() * items.length)];

async function createRecord(api: Api, kind: "document" | "prompt", { edits }: Journal): Promise<void> {
  const name = crypto.randomUUID();
  const shared = { title: `record ${name.slice(0, 2)}`, content: newContent(name) };
  await data(api, "POST", PATHS[kind], kind === "prompt" ? { ...shared, description: "d" } : shared);
  edits.set(name, new Set());
}

/** Inserts a line after a mark; starts again if the document was changed meanwhile. */
async function insertLine({ api, journal, random }: Editing, kind: "document" | "prompt"): Promise<void> {
  const id = pick(await idsOf(api, PATHS[kind]), random);
  if (id === undefined) return;
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const { status, body, headers } = await api("GET", `${PATHS[kind]}/${id}`);
    if (status === 404) return;
    const { content } = body.data as { content: string };
    const edit = `edit ${crypto.randomUUID()}`;
    const mark = `mark ${Math.floor(random() * MARKS)}\n`;
    const changed = content.replace(mark, `${mark}${edit}\n`);
    const etag = headers.get("etag");
    const reply = await api(
      "PATCH",
      `${PATHS[kind]}/${id}`,
      { content: changed },
      etag ? { "If-Match": etag } : {},
    );
    if (reply.status === 412) continue;
    if (reply.status === 200) journal.edits.get(nameIn(content))?.add(edit);
    return;
  }
}

/** Makes both sides of a conflict the same, as a person would: all lines of both. */
export async function resolve(
  [here, there]: [Api, Api],
  kind: Kind,
  [ownId, otherId]: [string, string],
): Promise<void> {
  const [own, other] = [
    await data(here, "GET", `${PATHS[kind]}/${ownId}`),
    await data(there, "GET", `${PATHS[kind]}/${otherId}`),
  ];
  const known = editsIn(own.content);
  const missing = [...editsIn(other.content)].filter((edit) => !known.has(edit));
  const content = own.content.replace("mark 0\n", `mark 0\n${missing.map((edit) => `${edit}\n`).join("")}`);
  for (const [api, id] of [[here, ownId] as const, [there, otherId] as const]) {
    await data(api, "PATCH", `${PATHS[kind]}/${id}`, { title: own.title, tags: own.tags, content });
  }
}
