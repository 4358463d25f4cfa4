// The coordination policy of a document: standard or lease_required. Changing it changes neither revision nor ETag.

import type { HighWater } from "../../../db/high-water.ts";
import type { Write } from "../../../db/store.ts";
import { failureWithReason } from "../../../kernel/errors.ts";
import { isBeingScraped } from "../scraping/store.ts";
import type { DocumentRow } from "../store.ts";
import { CONDITION_NAMES } from "./contract.ts";
import type { WriteConditions } from "../../../kernel/write-conditions.ts";
import { preconditionRequired, requireState } from "./guard.ts";
import { activeLease, endLease, leaseConflict } from "./lease.ts";
import { type CoordinationRow, findCoordination, putCoordination } from "./store.ts";

/**
 * Requires a lease for writes from now on; does nothing if it is required already. Throws PRECONDITION_REQUIRED or
 * REVISION_MISMATCH, and DOCUMENT_NOT_COORDINATABLE during the first fetch of a page.
 */
export function enableCoordination(
  write: Write,
  row: DocumentRow,
  conditions: WriteConditions,
): CoordinationRow {
  const current = findCoordination(write, row.id);
  requireOneState(conditions, current);
  requireState(row, conditions);
  if (isBeingScraped(write, row.id)) {
    throw failureWithReason(
      "unprocessable",
      "DOCUMENT_NOT_COORDINATABLE",
      "the document is still being scraped",
    );
  }
  if (current.policy === "lease_required") return current;
  const enabled: CoordinationRow = { ...current, policy: "lease_required" };
  putCoordination(write, enabled);
  return enabled;
}

/**
 * Returns to standard mode. Throws LEASE_CONFLICT while a lease is active, PRECONDITION_REQUIRED or REVISION_MISMATCH.
 */
export function disableCoordination(
  write: Write,
  row: DocumentRow,
  { highWater, conditions }: { highWater: HighWater; conditions: WriteConditions },
): CoordinationRow {
  const current = findCoordination(write, row.id);
  requireOneState(conditions, current);
  if (activeLease(current, highWater.now())) throw leaseConflict("a lease is active");
  requireState(row, conditions);
  if (current.policy === "standard") return current;
  return endLease(write, highWater, { ...current, policy: "standard" });
}

/** Throws unless ETags were sent (`*` is not one), and in lease_required mode exactly one. */
function requireOneState({ ifMatch }: WriteConditions, { policy }: CoordinationRow): void {
  const isOne = Array.isArray(ifMatch) && (policy === "standard" || ifMatch.length === 1);
  if (!isOne) throw preconditionRequired(CONDITION_NAMES.currentEtag);
}
