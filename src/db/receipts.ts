// The table of idempotency receipts: the response to each idempotency key, valid for 24 hours.

import { preparedSql } from "./prepared.ts";
import type { Store, Write } from "./store.ts";

/** A receipt is valid for this time. @testOnly */
export const RECEIPT_LIFE_MS = 24 * 60 * 60_000;
const PURGE_ROWS = 500;

/** An idempotency key belongs to a user and an operation. */
export interface ReceiptKey {
  userId: string;
  operation: string;
  key: string;
}

export interface Receipt {
  fingerprint: string;
  status: number;
  headers: Record<string, string>;
  /** The response body, byte for byte. */
  body: string;
}

type StoredReceipt = Omit<Receipt, "headers"> & { headers: string };

const validReceipt = preparedSql<StoredReceipt, [string, string, string, number]>(
  `SELECT fingerprint, status, headers, body FROM idempotency_receipts
   WHERE user_id = ? AND operation = ? AND key = ? AND created_at > ?`,
);
const replaceReceipt = preparedSql<never, [string, string, string, string, number, string, string, number]>(
  `INSERT OR REPLACE INTO idempotency_receipts
     (user_id, operation, key, fingerprint, status, headers, body, created_at)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
);
const deleteExpired = preparedSql<never, [number, number]>(
  `DELETE FROM idempotency_receipts WHERE rowid IN (
     SELECT rowid FROM idempotency_receipts WHERE created_at <= ? LIMIT ?
   )`,
);

/** The receipt of a key; undefined if there is none or it has expired at `now` (epoch ms). */
export function findReceipt(
  reader: Pick<Store, "sql">,
  { userId, operation, key }: ReceiptKey,
  now: number,
): Receipt | undefined {
  const row = validReceipt(reader).get(userId, operation, key, now - RECEIPT_LIFE_MS);
  return row ? { ...row, headers: JSON.parse(row.headers) as Record<string, string> } : undefined;
}

/** Stores a receipt in the transaction that it belongs to. It replaces an expired receipt of the same key. */
export function storeReceipt(
  write: Write,
  { userId, operation, key }: ReceiptKey,
  { fingerprint, status, headers, body }: Receipt,
): void {
  replaceReceipt(write).run(
    userId,
    operation,
    key,
    fingerprint,
    status,
    JSON.stringify(headers),
    body,
    write.now,
  );
}

/** Deletes a bounded number of expired receipts. Returns whether there may be more. */
export function purgeReceipts(write: Write): boolean {
  return deleteExpired(write).run(write.now - RECEIPT_LIFE_MS, PURGE_ROWS).changes === PURGE_ROWS;
}
