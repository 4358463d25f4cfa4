// The kinds of background work. A job names its kind and its subject; what it needs else it reads when it runs, so a job
// that waited long never works on stale input.

export type JobKind =
  /** Chunk, embed and index the current revision of the document whose id is the subject. */
  | "document.index"
  /** Embed the prompt whose id is the subject. */
  | "prompt.index"
  /** Delete the rows of dead index generations; the subject is always `index`. */
  | "index.sweep";

/** A job that keeps failing is tried this often, counted at each claim: one that kills the process ends too. */
export const MAX_ATTEMPTS = 5;

/** Pause before attempt 2, 3, 4 and 5. */
export const BACKOFF_MS = [1_000, 5_000, 30_000, 120_000] as const;
