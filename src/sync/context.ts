// What the steps of one run share.

import type { RemoteLink } from "../features/console/replies.ts";
import type { Link, Links } from "./links.ts";
import type { Direction, Preference } from "./plan.ts";
import { type Fields, type Form, isStored, type Kind, type Listed, type StoredFields } from "./records.ts";
import type { Report } from "./report.ts";
import type { Side } from "./side.ts";
import { normalized } from "../kernel/text.ts";

export interface RunOptions {
  direction: Direction;
  prefer: Preference;
  /** Whether deletions travel. */
  deletes: boolean;
  isDryRun: boolean;
  /** Only records with all of these tags. */
  tags: readonly string[];
  /** Only these collections, by name, with their members. */
  collections: readonly string[];
  /** Called when a record has been looked at. */
  onProgress(done: number, total: number): void;
}

export interface Run {
  own: Side;
  other: Side;
  links: Links;
  options: RunOptions;
  report: Report;
  /** The ids that the lists of documents and prompts have shown. */
  seen: Record<SideName, Set<string>>;
  /** The records of the other side that were paired in this run. */
  taken: Set<string>;
  /** The pairs of which one side was found. */
  seenLinks: Set<number>;
  /** Pairs of collections whose members have to be compared. */
  collections: RemoteLink[];
  progress: { done: number; total: number };
  /** The number of records in a row for which a server did not answer. */
  unavailable: number;
}

export type SideName = "own" | "other";

/** A record to create. */
export interface Creation {
  kind: Kind;
  target: SideName;
  source: Form;
  /** The pair without the record that does not exist yet. */
  intent: Link;
}

/** What is to be stored about the pair; nothing if nothing changes. */
export interface Outcome {
  link?: Link;
  /** The id of a pair that no longer exists. */
  forgotten?: number;
  /** The record of the other side that was found to be the same. */
  pairedId?: string;
  /** The record is to be created, once its pair is stored. */
  creation?: Creation;
}

/** The side opposite to one. */
export const opposite = (side: SideName): SideName => (side === "own" ? "other" : "own");

/** Whether the direction of the run writes on a side. */
export const writes = ({ direction }: RunOptions, side: SideName): boolean =>
  direction !== (side === "own" ? "push" : "pull");

/** Where a line of the report says that something was written. */
export const placeOf = (side: SideName) => (side === "own" ? "here" : "there");

/** The items of a list in groups. */
export async function* inGroups<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let group: Item[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Which records of a side a run is limited to. */
export interface Selection {
  includes(item: Listed): boolean;
}

/** The selection of a kind on a side: by tags, and by the members of the named collections. */
export async function selectionOf({ options }: Run, side: Side, kind: Kind): Promise<Selection> {
  const { tags, collections } = options;
  const hasTags = ({ tags: given }: Listed) => tags.every((tag) => given.some((one) => sameTag(one, tag)));
  if (collections.length === 0) return { includes: hasTags };
  const named = (item: Listed) => collections.some((name) => name === item.title || name === item.id);
  if (kind === "collection") return { includes: named };
  const members = new Set<string>();
  for await (const collection of side.list("collection")) {
    if (!named(collection)) continue;
    for await (const item of side.items(collection.id)) if (item.kind === kind) members.add(item.id);
  }
  return { includes: (item) => members.has(item.id) && hasTags(item) };
}

const sameTag = (a: string, b: string) => normalized(a, "NFC") === normalized(b, "NFC");

const MAX_VERSIONS = 200;

/** The content that belongs to a stored digest or value, from the earlier versions of either side. */
export async function contentOfBase(
  { own, other }: Run,
  { kind, ownId, otherId }: { kind: Kind; ownId: string; otherId: string },
  base: StoredFields,
): Promise<Fields> {
  for (const [side, id] of [[own, ownId] as const, [other, otherId] as const]) {
    let left = MAX_VERSIONS;
    for await (const content of side.versions(kind, id)) {
      if (isStored("content", base.content, content)) return { content };
      if (--left === 0) break;
    }
  }
  return {};
}
