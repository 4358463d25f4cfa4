// The two retrieval collections beside the repository: documents, queries, judgements. Read only.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Missing } from "./bench.ts";

const DATA = join(import.meta.dir, "..", "..", "..", "shared", "data", "retrieval");

export interface SourceDocument {
  id: string;
  /** The document's title, or its id if it has none. */
  title: string;
  text: string;
}

export interface Query {
  id: string;
  text: string;
  /** Grade by document id; every grade is above zero. */
  relevant: Map<string, number>;
}

export interface Collection {
  name: string;
  documents: SourceDocument[];
  /** Queries with at least one relevant document. */
  queries: Query[];
}

/** Cranfield, then CISI. Throws Missing if they do not exist. */
export function readCollections(): [Collection, Collection] {
  return [readCollection("Cranfield"), readCollection("CISI")];
}

function readCollection(name: "Cranfield" | "CISI"): Collection {
  const folder = join(DATA, name.toLowerCase());
  if (!existsSync(folder)) throw new Missing(`the collection ${folder} does not exist`);
  const lines = (file: string) => readFileSync(join(folder, file), "utf8").trim().split("\n");
  const records = (file: string) =>
    lines(file).map((line) => JSON.parse(line) as { _id: string; title: string; text: string });

  const documents = records("corpus.jsonl").map(({ _id, title, text }) => ({
    id: _id,
    title: title.trim() || _id,
    text,
  }));
  const known = new Set(documents.map(({ id }) => id));
  const relevant = new Map<string, Map<string, number>>();
  for (const line of lines("qrels.tsv").slice(1)) {
    const [query, document, grade] = line.split("\t") as [string, string, string];
    if (Number(grade) <= 0 || !known.has(document)) continue;
    relevant.set(query, (relevant.get(query) ?? new Map()).set(document, Number(grade)));
  }
  const queries = records("queries.jsonl").flatMap(({ _id, text }) => {
    const judged = relevant.get(_id);
    return judged ? [{ id: _id, text: withoutOperators(text), relevant: judged }] : [];
  });
  return { name, documents, queries };
}

/** The queries are texts: their quotation marks and dashes are no operators of the program's query syntax. */
const withoutOperators = (text: string): string => text.replaceAll('"', " ").replace(/(?<=^|\s)-+/gu, " ");
