// The versions of a document or prompt, with the number of lines that each has changed.

import type { Database } from "bun:sqlite";
import type { VersionSize } from "../../../kernel/pictures.ts";

export interface VersionSizesQuery {
  userId: string;
  id: string;
  /** Whether the record may be a document, or a prompt. */
  documents: boolean;
  prompts: boolean;
}

const MAX_VERSIONS = 300;
/** UTF-16 units of all texts that are compared, within about 100 ms. */
const MAX_UNITS = 4_000_000;

type Row = Omit<VersionSize, "added" | "removed"> & { id: string };

const DOCUMENT_VERSIONS = `
  SELECT version.id, version.version, version.agent, version.actor_kind AS kind, version.actor_name AS name,
    version.created_at AS createdAt
  FROM document_versions AS version JOIN documents AS record ON record.id = version.document_id
  WHERE record.id = ? AND record.user_id = ? ORDER BY version.version DESC LIMIT ${MAX_VERSIONS}`;
const PROMPT_VERSIONS = `
  SELECT version.id, version.version, version.agent, NULL AS kind, version.user_name AS name,
    version.created_at AS createdAt
  FROM prompt_versions AS version JOIN prompts AS record ON record.id = version.prompt_id
  WHERE record.id = ? AND record.user_id = ? ORDER BY version.version DESC LIMIT ${MAX_VERSIONS}`;
const DOCUMENT_TEXT = `
  SELECT body.text FROM document_versions AS version
  JOIN bodies AS body ON body.document_id = version.document_id AND body.hash = version.content_hash
  WHERE version.id = ?`;
const PROMPT_TEXT = "SELECT content AS text FROM prompt_versions WHERE id = ?";

/** The latest 300 versions of a record of the user, the latest first; none of a record of others. */
export function readVersionSizes(database: Database, query: VersionSizesQuery): VersionSize[] {
  const { userId, id, documents, prompts } = query;
  const read = (sql: string) => database.query<Row, [string, string]>(sql).all(id, userId);
  const ofDocument = documents ? read(DOCUMENT_VERSIONS) : [];
  const rows = ofDocument.length > 0 || !prompts ? ofDocument : read(PROMPT_VERSIONS);
  const text = database.query<{ text: string }, [string]>(
    ofDocument.length > 0 ? DOCUMENT_TEXT : PROMPT_TEXT,
  );

  let units = 0;
  const linesOf = ({ id: versionId }: Row): Map<string, number> | null => {
    if (units > MAX_UNITS) return null;
    const found = text.get(versionId)?.text;
    if (found === undefined) return null;
    units += found.length;
    return countLines(found);
  };
  let lines = rows[0] ? linesOf(rows[0]) : null;
  return rows.map(({ id: _, ...version }, index) => {
    const later = lines;
    const before = rows[index + 1];
    lines = before ? linesOf(before) : rows.length < MAX_VERSIONS ? new Map() : null;
    const isKnown = later !== null && lines !== null;
    return {
      ...version,
      added: isKnown ? surplus(later, lines!) : null,
      removed: isKnown ? surplus(lines!, later) : null,
    };
  });
}

/** How often each line occurs. */
function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** The number of lines that the one has more often than the other. */
function surplus(one: Map<string, number>, other: Map<string, number>): number {
  let lines = 0;
  for (const [line, count] of one) lines += Math.max(0, count - (other.get(line) ?? 0));
  return lines;
}
