// The callers' own request headers of scrapes that wait for their fetch. They may contain credentials, so they are held in
// memory only and are lost when the process ends.

export type ScrapeHeaders = Map<string, Readonly<Record<string, string>>>;

/** Maximum number of scrapes whose headers are held; beyond it the oldest are dropped. */
const MAX_SCRAPES = 1_000;

/** An empty store of headers by document id. */
export const openScrapeHeaders = (): ScrapeHeaders => new Map();

/** Holds the headers of a document's fetch until they are deleted. */
export function holdHeaders(
  held: ScrapeHeaders,
  documentId: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (held.size >= MAX_SCRAPES) for (const oldest of [...held.keys()].slice(0, 1)) held.delete(oldest);
  held.set(documentId, headers);
}
