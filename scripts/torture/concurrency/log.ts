// What clients record about their requests to shared documents, and what the server says afterwards: the input of the
// checker.

/** A write that was accepted. */
export interface AcceptedWrite {
  document: string;
  revision: number;
  /** The content that was sent; no two writes send the same. */
  content: string;
  /** The revision that the request named, if it named one. */
  base?: number;
  /** The lease of a coordinated write. */
  fence?: number;
  sentAt: number;
  answeredAt: number;
}

/** A lease that was granted. */
export interface Grant {
  document: string;
  fence: number;
  leaseId: string;
  sentAt: number;
  answeredAt: number;
  /** The end of the lease as the last acknowledged reply said, by the wall clock. */
  expiresAt: number;
  /** When the holder was told that the lease is released. */
  releasedAt?: number;
}

export interface Log {
  writes: AcceptedWrite[];
  grants: Grant[];
  /**
   * Documents of requests for a lease that were given up and refused when they were sent again. The first one may
   * arrive after the second one, and be granted without anyone being told.
   */
  unknownGrants: string[];
  /** Number of replies by operation, status and reason. */
  replies: Map<string, number>;
  /** Replies that no rule allows, shortened. */
  unexpected: string[];
}

/** The state of a document after all clients have ended. */
export interface FinalState {
  document: string;
  isCoordinated: boolean;
  revision: number;
  fence: number;
  content: string;
  /** All versions, in any order. */
  versions: { version: number; content: string }[];
}

export const emptyLog = (): Log => ({
  writes: [],
  grants: [],
  unknownGrants: [],
  replies: new Map(),
  unexpected: [],
});
