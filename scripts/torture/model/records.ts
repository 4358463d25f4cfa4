// The state of the model: what the specification says is stored.

/** Two credentials of one user, and one credential of another user. */
export type Actor = 0 | 1 | 2;
export type User = "owner" | "other";
export const userOf = (actor: Actor): User => (actor === 2 ? "other" : "owner");

export const UNKNOWN_ID = "0".repeat(27);

/** The fields that a version of a document stores. */
export interface DocumentFields {
  title: string;
  content: string;
  contentHtml?: string;
  rawHtml?: string;
  sourceUrl?: string;
  metadata: object;
  tags: string[];
}

interface DocumentVersion {
  /** Known as soon as the versions were listed. */
  id?: string;
  version: number;
  fields: DocumentFields;
  /** null: not checked, because the specification does not say what a restore records. */
  changeLog?: string | null;
  createdAt: number;
}

export interface Lease {
  id: string;
  expiresAt: number;
  ttlMs: number;
  holder: Actor;
}

interface Stored {
  id: string;
  user: User;
  createdAt: number;
  isGone: boolean;
  workspaceId?: string;
}

export interface Document extends Stored {
  fields: DocumentFields;
  status: string;
  revision: number;
  lastChangedAt: number;
  /** Newest first. */
  versions: DocumentVersion[];
  /** ETag by state: the same state always has the same one, and no two states share one. */
  etags: Map<string, string>;
  policy: "standard" | "lease_required";
  fence: number;
  lease?: Lease;
  /** Leases granted before, newest last: requests use them as stale ones. */
  oldLeases: { id: string; fence: number }[];
}

/** The fields that a version of a prompt stores. */
export interface PromptFields {
  content: string;
  variables: object[];
  parameters: object;
}

interface PromptVersion {
  id?: string;
  version: number;
  fields: PromptFields;
  changeLog?: string | null;
}

export interface Prompt extends Stored {
  title: string;
  description: string;
  tags: string[];
  isPublic: boolean;
  fields: PromptFields;
  /** Newest first. */
  versions: PromptVersion[];
}

export type ItemType = "document" | "prompt";

export interface Collection extends Stored {
  name: string;
  description?: string;
  color?: string;
  icon?: string;
  isPublic: boolean;
  tags: string[];
  parent?: Collection;
  items: { record: Document | Prompt; itemType: ItemType; addedAt: number }[];
}

export interface Session {
  id: string;
  actor: Actor;
  expiresAt: number;
  /** Chunk ids that searches with this session returned. */
  returned: Set<string>;
}

/** A walk through the pages of a list, while other requests change it. */
interface Walk {
  cursor: string;
  seen: string[];
  /** Ids that were in the list at the start. */
  atStart: string[];
}

export interface Records {
  documents: Document[];
  prompts: Prompt[];
  collections: Collection[];
  sessions: Session[];
  walks: Map<string, Walk>;
}

export const noRecords = (): Records => ({
  documents: [],
  prompts: [],
  collections: [],
  sessions: [],
  walks: new Map(),
});

/**
 * A record chosen by a number: every one that was ever created can be chosen, deleted ones too. undefined means an
 * unknown id.
 */
export function chosen<Item>(items: readonly Item[], pick: number): Item | undefined {
  return pick % 16 === 15 ? undefined : items[pick % Math.max(items.length, 1)];
}

/** A record that this user owns and that is not deleted. */
export function ownOf<Item extends Stored>(record: Item | undefined, user: User): Item | undefined {
  return record && !record.isGone && record.user === user ? record : undefined;
}

/** Removes a deleted record from all collections. */
export function dropFromCollections({ collections }: Records, record: Document | Prompt): void {
  for (const collection of collections)
    collection.items = collection.items.filter((item) => item.record !== record);
}

/** Tags as they are stored: trimmed, and each only once. */
export function storedTags(tags: readonly string[] = []): string[] {
  const stored: string[] = [];
  for (const tag of tags.map((one) => one.trim()))
    if (!stored.some((other) => other.normalize("NFC") === tag.normalize("NFC"))) stored.push(tag);
  return stored;
}

/** Whether a record has all tags of a filter in a query. */
export function hasTags(tags: readonly string[], filter: string | undefined): boolean {
  const wanted = (filter ?? "").split(",").map((tag) => tag.trim().normalize("NFC"));
  const present = tags.map((tag) => tag.normalize("NFC"));
  return wanted.every((tag) => tag === "" || present.includes(tag));
}

/** Substring match without regard to case, for the letters that the steps use. */
export const contains = (text: string | undefined, part: string): boolean =>
  (text ?? "").normalize("NFC").toLowerCase().includes(part.normalize("NFC").toLowerCase());
