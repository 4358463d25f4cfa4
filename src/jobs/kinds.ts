// The kinds of background work. A job names its kind and its subject; what it needs else it reads when it runs, so a job
// that waited long never works on stale input.

export type JobKind =
  /** Chunk, embed and index the current revision of the document whose id is the subject. */
  | "document.index"
  /** Fetch the page of the scraped document whose id is the subject, and fill the document with it. */
  | "document.scrape"
  /** Embed the prompt whose id is the subject. */
  | "prompt.index"
  /** Delete the rows of dead index generations; the subject is always `index`. */
  | "index.sweep";

/** Jobs that may run at once, by what they wait for: pages that are slow to come hold up no indexing. */
export const LANES: readonly { kinds: readonly JobKind[]; atOnce: number }[] = [
  // Enough to chunk and write one document while another is being embedded.
  { kinds: ["document.index", "prompt.index", "index.sweep"], atOnce: 6 },
  // They mostly wait; sixteen pages of the largest size fit into memory.
  { kinds: ["document.scrape"], atOnce: 16 },
];

/** A job that keeps failing is tried this often, counted at each claim: one that kills the process ends too. */
export const MAX_ATTEMPTS = 5;

/** Pause before attempt 2, 3, 4 and 5. */
export const BACKOFF_MS = [1_000, 5_000, 30_000, 120_000] as const;
