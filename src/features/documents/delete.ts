// Deletes a document.

import type { Write } from "../../db/store.ts";
import { retireDocument } from "../../retrieval/generations/generations.ts";
import { deleteDocumentRow } from "./store.ts";

/** Deletes row, texts and versions and removes the document from search; a job deletes its index rows afterwards. */
export function deleteDocument(write: Write, id: string): void {
  retireDocument(write, id);
  deleteDocumentRow(write, id);
}
