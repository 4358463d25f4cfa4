// The request headers that callers sent for scrapes that wait for their fetch. They may contain credentials, so they
// are held in memory only and are lost when the process stops.

/** Headers by document id. */
export type ScrapeHeaders = Map<string, Readonly<Record<string, string>>>;

/** Maximum number of scrapes whose headers are held; above it the oldest are dropped. */
const MAX_SCRAPES = 1_000;

/** Creates an empty map: no headers are held. */
export const openScrapeHeaders = (): ScrapeHeaders => new Map();

/** Holds the headers of a document's fetch until they are deleted. */
export function holdHeaders(
  held: ScrapeHeaders,
  documentId: string,
  headers: Readonly<Record<string, string>>,
): void {
  const [oldest] = held.keys();
  if (oldest !== undefined && held.size >= MAX_SCRAPES) held.delete(oldest);
  held.set(documentId, headers);
}
