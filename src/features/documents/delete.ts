// Deletes a document: out of the index at once, row, texts and versions with it; index rows are swept afterwards.

import type { Write } from "../../db/store.ts";
import { retireDocument } from "../../retrieval/generations.ts";
import { deleteDocumentRow } from "./store.ts";

export function deleteDocument(write: Write, id: string): void {
  retireDocument(write, id);
  deleteDocumentRow(write, id);
}
