// Walks through the pages of a list.

import { expect } from "bun:test";
import type { Client } from "./start.ts";

/** The members of listed records that tests look at. */
interface Row {
  id: string;
  title: string;
  version: number;
}

/** The rows of all pages of the list at `path`, which may have a query. `between` runs after each page. */
export async function walkPages(
  client: Client,
  path: string,
  between: () => Promise<unknown> = async () => {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor = "";
  do {
    const next = cursor && `${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
    const { status, body } = await client("GET", path + next);
    expect(status).toBe(200);
    expect(body.pagination.hasMore).toBe(body.pagination.cursor !== "");
    rows.push(...body.data);
    cursor = body.pagination.cursor;
    await between();
  } while (cursor);
  return rows;
}
