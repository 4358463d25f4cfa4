// Exports records as Markdown files with front matter, as `ctxrepo export` does: one as a file, several as an archive.

import { strToU8, zipSync } from "fflate";
import { type Nameable, uniqueNames } from "../../importing/export-names.ts";
import { exportRecord } from "../../importing/export-records.ts";
import { COLLECTION_OF } from "../../importing/known.ts";
import type { Membership } from "../../features/console/replies.ts";
import { clientOf } from "../api/client.ts";
import { read } from "../api/request.ts";

/** More would stop the page for seconds while it is compressed: a worker of another origin is not allowed. */
const MAX_BYTES = 50 * 1024 * 1024;
const LANES = 4;

/** Lets the browser save the records. Throws an error for people. */
export async function exportRecords(kind: "document" | "prompt", ids: readonly string[]): Promise<void> {
  const client = clientOf(new AbortController().signal);
  const listed: Nameable[] = [];
  await inLanes(ids, async (id) => {
    const path = `${COLLECTION_OF[kind]}/${id}`;
    const { title, metadata } = await read<Nameable>(path, {
      query: kind === "document" ? { includeContent: false } : {},
    });
    listed.push({ id, kind, title, metadata });
  });
  const names = uniqueNames(listed);
  const files: Record<string, Uint8Array> = {};
  let bytes = 0;
  await inLanes(listed, async ({ id }) => {
    const collections = await read<Membership[]>(`/console/api/records/${id}/collections`);
    const record = { kind, id, name: names.get(id)!, collections: collections.map(({ name }) => name) };
    await exportRecord(client, record, (path, text) => {
      files[path] = strToU8(text);
      bytes += text.length;
      if (bytes > MAX_BYTES) throw new Error("More than 50 MB: use the command ctxrepo export.");
    });
  });
  const [first = "", ...others] = Object.keys(files);
  if (others.length === 0) return save(files[first]!, first.split("/").at(-1)!, "text/markdown");
  save(zipSync(files), `ctxrepo-${listed.length}-${kind}s.zip`, "application/zip");
}

async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function save(bytes: Uint8Array, name: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
