// What belongs to a document by its content: documents that link to it, and documents about the same.

import { read } from "../../api/request.ts";
import type { Document, DocumentHit } from "../../api/openapi.d.ts";
import { changesOf, useLoad, useRead } from "../../parts/load.ts";

const MAX_RELATED = 6;
/** How much of the text says what it is about. */
const QUERY_UNITS = 400;

export function Neighbours({ document }: { document: Document }) {
  const { value: linking = [] } = useRead<{ id: string; title: string }[]>(
    `/console/api/documents/${document.id}/backlinks`,
    { concerns: changesOf(["document"]), gatherMs: 5_000 },
  );
  const { value: related = [] } = useLoad((signal) => findRelated(document, signal), [document.id], {
    key: `related ${document.id}`,
  });
  const linkingIds = new Set(linking.map(({ id }) => id));
  const others = related.filter(({ id }) => !linkingIds.has(id));
  return (
    <>
      <List title="Linked from" documents={linking} />
      <List title="Related" documents={others} />
    </>
  );
}

interface ListProps {
  title: string;
  documents: readonly { id: string; title: string }[];
}

function List({ title, documents }: ListProps) {
  if (documents.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul class="plain neighbours">
        {documents.map((document) => (
          <li key={document.id}>
            <a href={`/console/documents/${document.id}`} dir="auto" title={document.title}>
              {document.title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The documents that a search for the title and the start of the text finds by meaning. */
async function findRelated(
  { id, title, content = "" }: Document,
  signal: AbortSignal,
): Promise<{ id: string; title: string }[]> {
  const start = content
    .slice(0, 10 * QUERY_UNITS)
    .replace(/^```.*?^```/gms, "")
    .slice(0, QUERY_UNITS);
  // Signs could be operators of a search.
  const q = `${title} ${start}`.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
  if (q === "") return [];
  const query = { q, semantic: true, type: "documents", limit: MAX_RELATED + 1 };
  const { documents } = await read<{ documents: DocumentHit[] }>("/v1/search", { query, signal });
  return documents
    .map(({ documentId, title: name }) => ({ id: documentId, title: name }))
    .filter((found) => found.id !== id)
    .slice(0, MAX_RELATED);
}
