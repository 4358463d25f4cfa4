// What an agent has done besides writing, as operations report it to the activity log.

export type Noted =
  | { kind: "read"; documentId: string }
  | { kind: "read"; promptId: string }
  /** `count`: the number of results. */
  | { kind: "search"; text: string; count: number }
  /** `count`: the number of parts that were not answered. */
  | { kind: "question"; text: string; count: number }
  | { kind: "delete" };

/** Takes notes of what agents do. */
export interface ActivityLog {
  /** Costs no more than memory: entries are written in batches. */
  note(userId: string, agent: string | null, noted: Noted): void;
  /** Writes the entries that are in memory and deletes old ones. If that throws, the entries are kept. */
  flush(): void;
}
