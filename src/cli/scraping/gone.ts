// Pages that do not exist any more: their documents are archived, and shown again if the page returns. Nothing is
// deleted.

import { messageOf } from "../../kernel/errors.ts";
import type { StoredPage } from "../../requests/stored-page.ts";
import type { Client } from "../client.ts";
import { changeRecord } from "../records/change.ts";
import { PageFailure } from "./page.ts";

const GONE = /^HTTP_(?:404|410)$/;

/**
 * Archives the document of a page that is gone. Returns why, and whether it was archived before; undefined for a page
 * that may exist.
 */
export async function archiveIfGone(
  client: Client,
  { id, status }: StoredPage,
  error: unknown,
): Promise<{ reason: string; wasArchived: boolean } | undefined> {
  if (!(error instanceof PageFailure) || !GONE.test(error.fetchCode)) return undefined;
  const wasArchived = status === "archived";
  if (!wasArchived) await changeRecord(client, { type: "document", id }, () => ({ status: "archived" }));
  return { reason: messageOf(error), wasArchived };
}

/** Shows the document of a page that was gone again. Returns whether it did: a person may have archived it, too. */
export async function restore(client: Client, { id, status, failed = "" }: StoredPage): Promise<boolean> {
  if (status !== "archived" || !GONE.test(failed)) return false;
  await changeRecord(client, { type: "document", id }, () => ({ status: "published" }));
  return true;
}
