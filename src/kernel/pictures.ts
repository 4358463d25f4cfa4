// What the pictures of the console show, for the search worker that counts it and for the page: types only.

/** Who wrote a version; null where that is not known. */
export interface Author {
  agent: string | null;
  kind: string | null;
  name: string | null;
}

/** The changes of some days, by author. */
export interface ChangeDays {
  /** Those with the most changes, the most first; null: all others together. */
  authors: (Author | null)[];
  /** Numbers of versions: the first ones of new records, and changes of records; `day` and `author` are positions. */
  counts: { day: number; author: number; written: number; changed: number }[];
  /** Whether all versions of these days were counted. */
  isComplete: boolean;
}

/** A version and how much it changed. Times are epoch ms. */
export interface VersionSize extends Author {
  version: number;
  createdAt: number;
  /** Lines that only this version or only the one before has; null if the texts were too long to be compared. */
  added: number | null;
  removed: number | null;
}

/** Numbers of documents, of the bytes of their texts with all versions, and of their chunks in the index. */
export interface Stored {
  documents: number;
  bytes: number;
  chunks: number;
}

/** What the user's documents take up, by collection. */
export interface Storage {
  /** The largest collections first. A document in several collections counts in each. */
  collections: (Stored & { id: string; name: string })[];
  /** Documents in no collection. */
  none: Stored;
  /** The further collections together, and how many they are. */
  others: Stored & { collections: number };
  /** All documents; each counts once. */
  total: Stored;
  /** Whether all documents were counted. */
  isComplete: boolean;
}

/** A document as a point of a plane, where similar ones are near each other. */
export interface MapPoint {
  id: string;
  title: string;
  /** From -1 to 1. */
  x: number;
  y: number;
  /** Who wrote the current version; "" for people. */
  agent: string;
  tags: string[];
  /** The name of one of its collections; "" without one. */
  collection: string;
}

export interface DocumentMap {
  points: MapPoint[];
  /** The user's documents without archived ones; only the newest are points. */
  total: number;
}
