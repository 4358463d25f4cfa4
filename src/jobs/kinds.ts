// The kinds of background jobs. A job has a kind and a subject. It reads everything else when it runs, so that a job
// that waited long does not work on outdated input.

export type JobKind =
  /** Chunk, embed and index the current revision of the document whose id is the subject. */
  | "document.index"
  /** Fetch the page of the scraped document whose id is the subject, and store it as the document's content. */
  | "document.scrape"
  /** Embed the prompt whose id is the subject. */
  | "prompt.index"
  /** Delete the rows of dead index generations; the subject is always `index`. */
  | "index.sweep"
  /** Delete the records of a user whose removal has begun, and then the user; the subject is the user's id. */
  | "user.remove";

/** In place of the owner of a job that belongs to no record. It precedes all ids. */
export const MAINTENANCE = "-";

export interface Job {
  id: number;
  kind: JobKind;
  subject: string;
  /** The owner of the record; MAINTENANCE if it belongs to none. */
  userId: string;
  priority: number;
  /** How often the job was run without a crash. */
  attempts: number;
  /** How often the process has ended while the job was running. */
  crashes: number;
}

/** The kinds that make records searchable. */
export const INDEX_JOBS: readonly JobKind[] = ["document.index", "prompt.index", "index.sweep"];

interface Lane {
  kinds: readonly JobKind[];
  concurrency: number;
  /** How many of one priority run at the same time. */
  concurrencyOfPriority: number;
}

/** How many jobs of which kinds run at the same time. Slow pages in one lane do not delay indexing in the other. */
export const LANES: readonly Lane[] = [
  // Enough to embed in two workers while other documents wait to be written together. The other places are for other
  // priorities: what was written just now does not wait until a job of an import ends, and an import makes progress
  // beside an agent that writes all the time.
  { kinds: INDEX_JOBS, concurrency: 12, concurrencyOfPriority: 9 },
  // They mostly wait for the network; sixteen pages of the maximum size fit into memory.
  { kinds: ["document.scrape"], concurrency: 16, concurrencyOfPriority: 16 },
  { kinds: ["user.remove"], concurrency: 1, concurrencyOfPriority: 1 },
];

/**
 * What a person or agent has just written comes before imports, and those before what is indexed again. The column
 * `priority` contains the position here.
 */
export const PRIORITIES = ["interactive", "import", "reindex"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** A job that was running during this many crashes runs alone. */
export const ALONE_FROM_CRASHES = 2;

/** A job is given up after the process has ended this many times while it was running, the last times alone. */
export const MAX_CRASHES = 5;

/**
 * How long a process must have run before a job runs that was running during 2, 3 and 4 crashes: if something else ends
 * the process again and again soon after its start, the job is not suspected of that, too.
 */
export const CRASH_PAUSES_MS: Readonly<Record<number, number>> = { 2: 5_000, 3: 30_000, 4: 120_000 };

/** A job fails for good after this many attempts. */
export const MAX_ATTEMPTS = 5;

/** Pause after an attempt that failed because the disk is full or cannot be written. */
export const POSTPONED_MS = 5_000;

/** Pause before attempt 2, 3, 4 and 5. */
export const BACKOFF_MS = [1_000, 5_000, 30_000, 120_000] as const;
/** No pause is longer, those that requests ask for included. */
export const MAX_PAUSE_MS = 120_000;
