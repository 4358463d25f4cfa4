// The stored pairs of records, which this server keeps: found, listed and stored through its operations for commands.

import type { RemoteLink } from "../features/console/replies.ts";
import { dataOf, type Requests } from "../requests/reply.ts";
import type { Fields, Kind, StoredFields } from "./records.ts";

/** A pair to store; without an id it is a new one. */
export type Link = Omit<RemoteLink, "id"> & { id?: number };

export interface Links {
  find(side: "own" | "other", ids: readonly string[]): Promise<RemoteLink[]>;
  /** All pairs, in the order of their ids. */
  list(): AsyncGenerator<RemoteLink>;
  /** Stores pairs and returns them with their ids. Throws `conflict` if another run has stored one of them. */
  store(links: readonly Link[]): Promise<RemoteLink[]>;
  forget(ids: readonly number[]): Promise<void>;
  /** The pairs of the members of a collection when both sides were last equal. */
  members(collection: number): Promise<Set<number>>;
  storeMembers(collection: number, added: readonly number[], removed: readonly number[]): Promise<void>;
}

const LINKS = "/console/api/remotes/links";
const MEMBERS = "/console/api/remotes/members";
const AT_ONCE = 500;
/** Pairs of one write: each may have a conflict with texts. */
const STORED_AT_ONCE = 20;

/** The pairs of one remote. */
export function openLinks(client: Requests, remoteId: string): Links {
  const put = async (links: readonly Link[], removed: readonly number[]): Promise<number[]> =>
    dataOf(await client.request("PUT", LINKS, { body: { remoteId, links, removed } }));
  return {
    async find(side, ids) {
      const found: RemoteLink[] = [];
      for (let start = 0; start < ids.length; start += AT_ONCE) {
        const body = { remoteId, side, ids: ids.slice(start, start + AT_ONCE) };
        found.push(...dataOf(await client.request("POST", LINKS, { body })));
      }
      return found;
    },
    async *list() {
      for (let after = 0; ; ) {
        const query = { remoteId, after, limit: AT_ONCE };
        const page: RemoteLink[] = dataOf(await client.request("GET", LINKS, { query }));
        yield* page;
        if (page.length < AT_ONCE) return;
        after = page.at(-1)!.id;
      }
    },
    async store(links) {
      const storedLinks: RemoteLink[] = [];
      for (let start = 0; start < links.length; start += STORED_AT_ONCE) {
        const part = links.slice(start, start + STORED_AT_ONCE);
        const ids = await put(part, []);
        storedLinks.push(...part.map((link, index) => ({ ...link, id: ids[index]! })));
      }
      return storedLinks;
    },
    async forget(ids) {
      for (let start = 0; start < ids.length; start += AT_ONCE)
        await put([], ids.slice(start, start + AT_ONCE));
    },
    async members(collection) {
      const members = new Set<number>();
      for (let after = 0; ; ) {
        const page: number[] = dataOf(await client.request("GET", MEMBERS, { query: { collection, after } }));
        for (const id of page) members.add(id);
        if (page.length === 0) return members;
        after = page.at(-1)!;
      }
    },
    async storeMembers(collection, added, removed) {
      for (let start = 0; start < Math.max(added.length, removed.length); start += AT_ONCE) {
        const part = (ids: readonly number[]) => ids.slice(start, start + AT_ONCE);
        const body = { collection, added: part(added), removed: part(removed) };
        dataOf(await client.request("PUT", MEMBERS, { body }));
      }
    },
  };
}

interface SideState {
  id: string | null;
  stamp: string | null;
  revision: number | null;
}

/** A pair to store. The stamps of collections are stored once their members are the same. */
export function linkOf(
  ids: { id?: number; kind: Kind; ownId: string | null; otherId: string | null },
  {
    own,
    other,
    base,
    conflict,
  }: { own: SideState; other: SideState; base: StoredFields; conflict: Link["conflict"] },
): Link {
  const isCollection = ids.kind === "collection";
  return {
    ...ids,
    ownStamp: isCollection ? null : own.stamp,
    otherStamp: isCollection ? null : other.stamp,
    ownRevision: own.revision,
    otherRevision: other.revision,
    base,
    conflict,
    gone: null,
  };
}

/** The title of a record, or the name of a collection. */
export const titleOf = (fields: Fields): string => String(fields.title ?? fields.name ?? "");
