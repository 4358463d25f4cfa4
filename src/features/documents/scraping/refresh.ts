// Refresh: fetches the page of a scraped document again, within the request. At most one runs per document; if the
// document is changed in between, that change wins.

import type { Identity } from "../../../auth/identity.ts";
import type { HighWater } from "../../../db/high-water.ts";
import type { Store, Write } from "../../../db/store.ts";
import { FetchError } from "../../../engine/fetching/errors.ts";
import type { Validators } from "../../../engine/fetching/fetch-page.ts";
import { readScrapeUrl } from "../../../engine/fetching/scrape-url.ts";
import { withAnySignal } from "../../../kernel/abort.ts";
import { badRequest, Failure, failureWithReason } from "../../../kernel/errors.ts";
import { ownDocument } from "../access.ts";
import { CONDITION_NAMES } from "../coordination/contract.ts";
import type { WriteConditions } from "../../../kernel/write-conditions.ts";
import { preconditionRequired, readClaim, requireState } from "../coordination/guard.ts";
import { activeLease, leaseConflict, requireLease } from "../coordination/lease.ts";
import { findCoordination } from "../coordination/store.ts";
import type { Revised } from "../revision.ts";
import type { DocumentRow } from "../store.ts";
import { applyPage, recordFailure, recordUnchanged } from "./apply-page.ts";
import { refreshErrorOf, ScrapeError } from "./errors.ts";
import { type LoadDeps, type LoadedPage, loadPage } from "./load.ts";
import { type FetchRow, findFetch } from "./store.ts";

/** A fetched page and the state of the document before the fetch, which must be the same when the page is written. */
export interface Refresh {
  documentId: string;
  revision: number;
  fence: number;
  policy: "standard" | "lease_required";
  page: LoadedPage | { notModified: true };
}

/** Ids of the documents that are being refreshed by this process. */
export type RunningRefreshes = Set<string>;

/** Creates an empty set: no refresh runs. */
export const openRefreshes = (): RunningRefreshes => new Set();

/** What a refresh needs. */
export interface RefreshDeps extends LoadDeps {
  store: Store;
  highWater: HighWater;
  runningRefreshes: RunningRefreshes;
  /** Whether pages on private networks may be fetched. */
  allowsPrivateNetwork: boolean;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
}

/** A validated request to refresh a document. */
export interface RefreshRequest {
  caller: Identity;
  id: string;
  conditions: WriteConditions;
  /** Fires when nobody waits for the result any more: the page is then not fetched. */
  cancelled: AbortSignal;
}

/**
 * Checks that the caller may refresh this document now, and fetches its page. Throws the failures of coordination,
 * `bad-request` if the document cannot be refreshed, `conflict` while another refresh of it runs, `unavailable` if the
 * page cannot be fetched (the document then records why), and the reason of `cancelled` if that fires before the page
 * is read.
 */
export async function loadRefresh(
  deps: RefreshDeps,
  { caller, id, conditions, cancelled }: RefreshRequest,
): Promise<Refresh> {
  const { store, stopping, runningRefreshes: running } = deps;
  const row = ownDocument(store, caller, id);
  const coordination = findCoordination(store, id);
  if (coordination.policy === "lease_required") {
    if (conditions.idempotencyKey === undefined) throw preconditionRequired(CONDITION_NAMES.idempotencyKey);
    const now = deps.highWater.now();
    const active = activeLease(coordination, now);
    if (conditions.leaseId !== undefined || conditions.fence !== undefined) {
      requireLease(coordination, readClaim(conditions), now);
    } else if (active && active.credentialId !== caller.credentialId) {
      throw leaseConflict("another lease is active");
    }
  }
  requireState(row, conditions);
  const { url, fetch } = requireRefreshable(deps, row);
  if (running.has(id))
    throw failureWithReason("conflict", "REFRESH_IN_PROGRESS", "the document is being refreshed");
  running.add(id);
  const seen = {
    documentId: id,
    revision: row.revision,
    fence: coordination.fence,
    policy: coordination.policy,
  };
  try {
    const page = {
      userId: caller.userId,
      url,
      timeoutMs: fetch.timeoutMs,
      onlyMainContent: fetch.onlyMainContent,
      validators: validatorsOf(row, fetch),
    };
    const load = (signal: AbortSignal) => loadPage(deps, page, signal);
    return { ...seen, page: await withAnySignal([stopping, cancelled], load) };
  } catch (error) {
    cancelled.throwIfAborted();
    if (stopping.aborted) throw new Failure("unavailable", "the server is stopping");
    await store.writeWhenFree((write) => {
      const current = requireUnchanged(write, caller, seen);
      const internal = new ScrapeError("INTERNAL", "an internal error; the server's log has details");
      recordFailure(write, current, refreshErrorOf(error, write.now) ?? refreshErrorOf(internal, write.now));
    });
    const { code } = refreshErrorOf(error, 0) ?? {};
    if (code === undefined) throw error;
    throw new Failure("unavailable", `refresh failed: ${code}`, { cause: error });
  } finally {
    running.delete(id);
  }
}

/**
 * Writes the fetched page. Throws `conflict` if the document or its coordination was changed since the refresh started.
 */
export function finishRefresh(write: Write, caller: Identity, refresh: Refresh): Revised {
  const row = requireUnchanged(write, caller, refresh);
  const fetch = findFetch(write, row.id);
  if (!fetch) throw new Error("every scraped document has a fetch");
  if (refresh.page.notModified) return recordUnchanged(write, row);
  return applyPage(write, row, { actor: caller, fetch, page: refresh.page, origin: "refresh" });
}

function requireUnchanged(write: Write, caller: Identity, seen: Omit<Refresh, "page">): DocumentRow {
  const row = ownDocument(write, caller, seen.documentId);
  const { fence, policy } = findCoordination(write, row.id);
  if (row.revision === seen.revision && fence === seen.fence && policy === seen.policy) return row;
  throw failureWithReason(
    "conflict",
    "REFRESH_SUPERSEDED",
    "the document was changed while it was being refreshed",
  );
}

/** The URL and the settings of the fetch. Throws `bad-request` with the field that prevents a refresh. */
function requireRefreshable(
  { store, allowsPrivateNetwork }: RefreshDeps,
  row: DocumentRow,
): { url: string; fetch: FetchRow } {
  const fetch = findFetch(store, row.id);
  if (row.sourceType !== "scrape" || !fetch) {
    throw notRefreshable("sourceType", "only scraped documents can be refreshed");
  }
  if (!fetch.settled) throw notRefreshable("status", "the first fetch has not finished");
  if (!/^https?:\/\//i.test(row.sourceUrl ?? ""))
    throw notRefreshable("sourceUrl", "is not an http or https URL");
  try {
    return { url: readScrapeUrl(row.sourceUrl ?? "", allowsPrivateNetwork), fetch };
  } catch (error) {
    if (error instanceof FetchError) throw notRefreshable("sourceUrl", error.message);
    throw error;
  }
}

const notRefreshable = (path: string, message: string) => badRequest({ path, message });

/** Validators for a conditional request; none if the text was edited, because the page is then written in any case. */
function validatorsOf(row: DocumentRow, fetch: FetchRow): Validators | undefined {
  if (fetch.finalUrl === null || row.contentHash !== row.source.contentHash) return undefined;
  return {
    url: fetch.finalUrl,
    etag: fetch.etag ?? undefined,
    lastModified: fetch.lastModified ?? undefined,
  };
}
