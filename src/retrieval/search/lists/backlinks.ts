// The documents that link to one: by its title ([[title]]), or by the path of the file that it was imported from.

import type { Database } from "bun:sqlite";
import { resolvePath } from "../../../kernel/link-path.ts";

const MAX_BACKLINKS = 50;
/** What an address in Markdown can be; longer ones lead nowhere. */
const LINK = /\]\(\s*<?([^)\s>]{1,1000})|^\s{0,3}\[[^\]]{1,200}\]:\s*<?([^\s>]{1,1000})/gm;
const WIKI_LINK = /\[\[([^[\]|\n#]{1,300})/g;

interface Linking {
  id: string;
  title: string;
  path: string | null;
  text: string;
}

/** Ids and titles of the user's documents that link to a document, by title; archived ones are left out. */
export function findBacklinks(
  database: Database,
  { userId, id }: { userId: string; id: string },
): { id: string; title: string }[] {
  const own = database
    .query<{ title: string; path: string | null }, [string, string]>(
      "SELECT title, import_path AS path FROM documents WHERE id = ? AND user_id = ?",
    )
    .get(id, userId);
  if (own === null) return [];
  const title = own.title.toLowerCase();
  const fileName = own.path?.split("/").at(-1);
  // Few texts contain one of these. Spaces in addresses are written as %20.
  const rows = database
    .query<Linking, [string, string, string | null, string | null]>(
      `SELECT row.id, row.title, row.import_path AS path, body.text FROM documents AS row
       JOIN bodies AS body ON body.document_id = row.id AND body.hash = row.content_hash
       WHERE row.user_id = ?1 AND row.id <> ?2 AND row.status <> 'archived'
         AND (instr(body.text, '[[') > 0 OR instr(body.text, ?3) > 0 OR instr(body.text, ?4) > 0)
       ORDER BY row.title, row.id`,
    )
    .iterate(userId, id, fileName ?? null, fileName === undefined ? null : encodeURI(fileName));
  const found: { id: string; title: string }[] = [];
  for (const { text, path, ...linking } of rows) {
    const links =
      text.matchAll(WIKI_LINK).some(([, name = ""]) => name.trim().toLowerCase() === title) ||
      (path !== null &&
        text
          .matchAll(LINK)
          .some(([, address, defined]) => resolvePath(path, address ?? defined ?? "")?.path === own.path));
    if (links) found.push(linking);
    if (found.length === MAX_BACKLINKS) break;
  }
  return found;
}
