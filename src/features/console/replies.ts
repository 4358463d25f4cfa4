// The responses of /console/api, for the operations that send them and for the page that reads them: types only.

export type {
  ChangeDays,
  DocumentMap,
  MapPoint,
  Storage,
  Stored,
  VersionSize,
} from "../../kernel/pictures.ts";

/** Who is signed in, and what the console may offer. */
export interface SignedIn {
  userId: string;
  email: string;
  displayName: string;
  kind: "session" | "machine" | "apiKey";
  scopes: readonly string[];
  managesKeys: boolean;
  /** The name of the language model that can run prompts; null for none. */
  model: string | null;
}

/** One version of a document or prompt. Times are epoch ms. */
export interface Change {
  id: string;
  type: "document" | "prompt";
  recordId: string;
  title: string;
  version: number;
  actorKind: string | null;
  actorName: string | null;
  /** The name of the key and of the program that wrote it; null for people and for keys without a name. */
  agent: string | null;
  /** What made the change: `create`, `update`, `restore`, `scrape`, `refresh`. */
  origin: string | null;
  changeLog: string | null;
  createdAt: number;
}

/** What one author has done since a moment: numbers of versions, and of entries of the activity log. */
export interface AgentSummary {
  agent: string | null;
  kind: string | null;
  name: string | null;
  written: number;
  changed: number;
  deleted: number;
  read: number;
  searched: number;
  asked: number;
}

/** What an agent has asked or searched and not found. `at`: epoch ms of the last time. */
export interface OpenQuestion {
  text: string;
  kind: "search" | "question";
  agent: string | null;
  times: number;
  at: number;
}

/** What has happened since a version. */
export interface Happened {
  agents: AgentSummary[];
  questions: OpenQuestion[];
  /** Whether reads and searches are recorded. */
  isLogged: boolean;
}

/** What was changed just now. */
export interface LiveChange {
  type: "document" | "prompt" | "collection" | "key" | "folder";
  /** The id of the record; "" if several were changed. */
  id: string;
  /** What was done, such as `create`, `update`, `delete`, `lease` or `index`. */
  action: string;
  /** The name of the key that did it; null for people and for work in the background. */
  by: string | null;
}

export interface TreeCollection {
  id: string;
  name: string;
  icon: string | null;
  color: string | null;
  parentId: string | null;
  itemCount: number;
}

export type Membership = Pick<TreeCollection, "id" | "name" | "icon">;

export interface Status {
  version: string;
  jobs: { queued: number; running: number; failed: number };
  /** The user's records that are not completely indexed yet. */
  pending: number;
  /** About how long that takes, in seconds; absent while nothing was embedded that tells. */
  pendingSeconds?: number;
  /** The user's pages whose last fetch failed. */
  failedFetches: number;
  database: { bytes: number; freeBytes: number };
  records: {
    documents: number;
    prompts: number;
    collections: number;
    indexedDocuments: number;
    chunks: number;
  };
  folders: Folder[];
  /** Not null if the server is a read-only twin of a remote. Times are epoch ms. */
  follows: { remote: string; since: number; pulledAt: number | null; hasFailed: boolean } | null;
  /** Whether a second model reads other languages than English; `waiting` of the user's records it has not read yet. */
  multilingual: { waiting: number } | null;
  /** `tokens` of the last minute. */
  embedder: {
    state: "loading" | "ok" | "degraded";
    problem?: string;
    tokens: number;
    tokensPerSecond: number;
  };
}

export interface Job {
  id: number;
  kind: string;
  subject: string;
  title: string;
  state: "queued" | "running" | "failed";
  attempts: number;
  runAt: number;
  error: string | null;
  updatedAt: number;
}

export interface FailedFetch {
  id: string;
  title: string;
  sourceUrl: string | null;
  source: { lastRefreshError?: { code: string; message: string; at: number } };
}

export interface Key {
  id: string;
  email: string;
  name: string | null;
  scopes: readonly string[];
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

export interface User {
  id: string;
  email: string;
  displayName: string;
  createdAt: number;
  records: number;
}

/** A folder that imports repeat, with the options of its imports. Times are epoch ms. */
export interface Folder {
  path: string;
  collection?: string;
  tags: string[];
  /** Only files of these types; all if empty. */
  kinds: string[];
  /** Patterns as in a .gitignore. */
  exclude: string[];
  addedAt: number;
  /** Null before the first import has ended. */
  importedAt: number | null;
}

/** A record by its title: the kind, the id and the title. */
export type TitledRecord = readonly [kind: "document" | "prompt" | "collection", id: string, title: string];

/** A document as a row of the table. Times are epoch ms. */
export interface TableRow {
  id: string;
  title: string;
  status: "draft" | "published" | "archived" | "processing" | "completed" | "failed";
  tags: string[];
  source: "manual" | "scrape" | "import";
  /** Who wrote the current version; "" for people. */
  agent: string;
  /** The path of the file or the address of the page that it comes from. */
  place: string | null;
  /** The size of the text, bytes. */
  size: number;
  createdAt: number;
  updatedAt: number;
}

/** The values of a column with the number of documents that have them, the most frequent first. */
export type Facet = readonly (readonly [value: string, count: number])[];

/** What the table says besides its rows. */
export interface TableSummary {
  total: number;
  facets: Record<"tags" | "source" | "agent" | "status" | "folder", Facet>;
}

/** Who holds the lease of a document. */
export interface HeldLease {
  /** Whether it is the session that asks. */
  isOwn: boolean;
  /** Whether it is an API key, and its name. */
  isKey: boolean;
  keyName: string | null;
  /** Epoch ms. */
  expiresAt: number;
}

/** A record that the user has pinned. */
export interface Pin {
  id: string;
  type: "document" | "prompt" | "collection";
  title: string;
}

/** A record in the trash. Times are epoch ms. */
export interface TrashedRecord {
  id: string;
  type: "document" | "prompt";
  title: string;
  deletedAt: number;
  /** When it is deleted for good. */
  expiresAt: number;
}

/** A tag with the number of records that have it. */
export interface TagCount {
  tag: string;
  count: number;
}

/** A record that was imported from a file. */
export interface Imported {
  id: string;
  type: "document" | "prompt";
  /** The path of the file, as the import stored it. */
  path: string;
  /** Digest of the file's bytes. */
  hash: string;
  /** Digest of the record as the import left it. */
  state: string;
}

/** Another server that this one exchanges records with. Times are epoch ms. */
export interface Remote {
  id: string;
  name: string;
  url: string;
  addedAt: number;
  /** The end of the last run; null before the first one has ended. */
  syncedAt: number | null;
  /** What the last run did. */
  result: Record<string, unknown> | null;
  /** The number of pairs of records. */
  links: number;
  conflicts: number;
}

export type LinkedKind = "document" | "prompt" | "collection";

/** A record here and the same record on another server; see db/remote-tables.ts. */
export interface RemoteLink {
  id: number;
  kind: LinkedKind;
  ownId: string | null;
  otherId: string | null;
  ownStamp: string | null;
  otherStamp: string | null;
  ownRevision: number | null;
  otherRevision: number | null;
  base: Record<string, unknown>;
  conflict: Record<string, unknown> | null;
  gone: "own" | "other" | null;
}

/** A record that was changed on both sides. */
export type RemoteConflict = Pick<RemoteLink, "id" | "kind" | "ownId" | "otherId" | "conflict">;
