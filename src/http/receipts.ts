// The table of idempotency receipts: what was answered to a key, for 24 hours from then.

import type { Store, Write } from "../db/store.ts";

export const RECEIPT_LIFE_MS = 24 * 60 * 60_000;
const PURGE_ROWS = 500;

/** Keys belong to a user and an operation. */
export interface ReceiptKey {
  userId: string;
  operation: string;
  key: string;
}

export interface Receipt {
  fingerprint: string;
  status: number;
  headers: Record<string, string>;
  /** The body as it was sent, byte for byte. */
  body: string;
}

/** The receipt of a key, or undefined when there is none or it has expired. */
export function findReceipt(
  { sql }: Pick<Store, "sql">,
  { userId, operation, key }: ReceiptKey,
  now: number,
): Receipt | undefined {
  const row = sql
    .query<Omit<Receipt, "headers"> & { headers: string }, [string, string, string, number]>(
      `SELECT fingerprint, status, headers, body FROM idempotency_receipts
       WHERE user_id = ? AND operation = ? AND key = ? AND created_at > ?`,
    )
    .get(userId, operation, key, now - RECEIPT_LIFE_MS);
  return row ? { ...row, headers: JSON.parse(row.headers) as Record<string, string> } : undefined;
}

/** Keeps a receipt, in the transaction of what it answers for. An expired one of the same key gives way. */
export function keepReceipt(
  { sql, now }: Write,
  { userId, operation, key }: ReceiptKey,
  { fingerprint, status, headers, body }: Receipt,
): void {
  sql
    .query(
      `INSERT OR REPLACE INTO idempotency_receipts
         (user_id, operation, key, fingerprint, status, headers, body, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(userId, operation, key, fingerprint, status, JSON.stringify(headers), body, now);
}

/** Deletes a bounded number of expired receipts. Returns how many. */
export function purgeReceipts(store: Store): number {
  return store.write(
    ({ sql, now }) =>
      sql
        .query(
          `DELETE FROM idempotency_receipts WHERE rowid IN (
             SELECT rowid FROM idempotency_receipts WHERE created_at <= ? LIMIT ${PURGE_ROWS}
           )`,
        )
        .run(now - RECEIPT_LIFE_MS).changes,
  );
}
