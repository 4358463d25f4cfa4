// Refresh: the page of a scraped document fetched again, inside the request. One at a time for a document; whatever was
// written meanwhile wins.

import type { Identity } from "../../../auth/identity.ts";
import type { HighWater } from "../../../db/high-water.ts";
import type { Store, Write } from "../../../db/store.ts";
import { FetchError } from "../../../engine/fetching/errors.ts";
import type { Validators } from "../../../engine/fetching/fetch-page.ts";
import { readScrapeUrl } from "../../../engine/fetching/scrape-url.ts";
import { badRequest, Failure, reasoned } from "../../../kernel/errors.ts";
import { ownDocument } from "../access.ts";
import { CONDITION_NAMES } from "../coordination/contract.ts";
import { readClaim, required, requireState, type WriteConditions } from "../coordination/guard.ts";
import { leaseConflict, liveLease, requireLease } from "../coordination/lease.ts";
import { findCoordination } from "../coordination/store.ts";
import type { Revised } from "../revision.ts";
import type { DocumentRow } from "../store.ts";
import { refreshErrorOf, ScrapeError } from "./errors.ts";
import { fillFromPage, markUnchanged, recordFailure } from "./fill.ts";
import { type LoadDeps, type LoadedPage, loadPage } from "./load.ts";
import { type FetchRow, findFetch } from "./store.ts";

/** A refresh that may begin: what was seen then must still be so at its end. */
export interface Refresh {
  documentId: string;
  revision: number;
  fence: number;
  policy: "standard" | "lease_required";
  page: LoadedPage | { notModified: true };
}

/** Ids of the documents that are being refreshed by this process. */
export type RunningRefreshes = Set<string>;

/** No refresh is running. */
export const openRefreshes = (): RunningRefreshes => new Set();

/** Maximum number of refreshes at a time: each holds a page in memory. */
const MAX_REFRESHING = 8;

/** What a refresh needs. */
export interface RefreshDeps extends LoadDeps {
  store: Store;
  highWater: HighWater;
  runningRefreshes: RunningRefreshes;
  /** Whether pages on private networks may be fetched. */
  allowsPrivateNetwork: boolean;
  /** Fires when the server stops. */
  stopping: AbortSignal;
}

/** Who asks for the refresh of which document, under which conditions. */
export interface RefreshRequest {
  caller: Identity;
  id: string;
  conditions: WriteConditions;
}

/**
 * Checks that the caller may refresh this document now, and fetches its page. Throws the failures of coordination,
 * `bad-request` for a document that is not refreshable, `conflict` while another refresh of it runs, and `unavailable` when
 * the page cannot be had, which is then recorded on the document.
 */
export async function loadRefresh(
  deps: RefreshDeps,
  { caller, id, conditions }: RefreshRequest,
): Promise<Refresh> {
  const { store, stopping, runningRefreshes: running } = deps;
  const row = ownDocument(store, caller, id);
  const coordination = findCoordination(store, id);
  if (coordination.policy === "lease_required") {
    if (conditions.idempotencyKey === undefined) throw required(CONDITION_NAMES.idempotencyKey);
    const now = deps.highWater.now();
    const live = liveLease(coordination, now);
    if (conditions.leaseId !== undefined || conditions.fence !== undefined) {
      requireLease(coordination, readClaim(conditions), now);
    } else if (live && live.credentialId !== caller.credentialId) {
      throw leaseConflict("another lease is live");
    }
  }
  requireState(row, conditions);
  const { url, fetch } = requireRefreshable(deps, row);
  if (running.has(id)) throw reasoned("conflict", "REFRESH_IN_PROGRESS", "the document is being refreshed");
  if (running.size >= MAX_REFRESHING)
    throw new Failure("unavailable", "too many documents are being refreshed");
  running.add(id);
  const seen = {
    documentId: id,
    revision: row.revision,
    fence: coordination.fence,
    policy: coordination.policy,
  };
  try {
    const page = {
      url,
      timeoutMs: fetch.timeoutMs,
      onlyMainContent: fetch.onlyMainContent,
      validators: validatorsOf(row, fetch),
    };
    return { ...seen, page: await loadPage(deps, page, stopping) };
  } catch (error) {
    if (stopping.aborted) throw new Failure("unavailable", "the server is stopping");
    store.write((write) => {
      const now = stillAsSeen(write, caller, seen);
      const internal = new ScrapeError("INTERNAL", "the server failed; its log says why");
      recordFailure(write, now, refreshErrorOf(error, write.now) ?? refreshErrorOf(internal, write.now));
    });
    const { code } = refreshErrorOf(error, 0) ?? {};
    if (code === undefined) throw error;
    throw new Failure("unavailable", `refresh failed: ${code}`, undefined, { cause: error });
  } finally {
    running.delete(id);
  }
}

/** Writes what a refresh found. Throws `conflict` when the document or its fence is no longer what the refresh began with. */
export function finishRefresh(write: Write, caller: Identity, refresh: Refresh): Revised {
  const row = stillAsSeen(write, caller, refresh);
  const fetch = findFetch(write, row.id);
  if (!fetch) throw new Error("a scraped document keeps its fetch as long as it lives");
  if (refresh.page.notModified) return markUnchanged(write, row);
  return fillFromPage(write, row, { actor: caller, fetch, page: refresh.page, origin: "refresh" });
}

function stillAsSeen(write: Write, caller: Identity, seen: Omit<Refresh, "page">): DocumentRow {
  const row = ownDocument(write, caller, seen.documentId);
  const { fence, policy } = findCoordination(write, row.id);
  if (row.revision === seen.revision && fence === seen.fence && policy === seen.policy) return row;
  throw reasoned("conflict", "REFRESH_SUPERSEDED", "the document was changed while it was being refreshed");
}

/** The URL that a refresh fetches, and how. Throws `bad-request` naming the field that stands in its way. */
function requireRefreshable(
  { store, allowsPrivateNetwork }: RefreshDeps,
  row: DocumentRow,
): { url: string; fetch: FetchRow } {
  const fetch = findFetch(store, row.id);
  if (row.sourceType !== "scrape" || !fetch) {
    throw notRefreshable("sourceType", "only scraped documents are refreshed");
  }
  if (!fetch.settled) throw notRefreshable("status", "the first fetch has not ended");
  if (!/^https?:\/\//i.test(row.sourceUrl ?? ""))
    throw notRefreshable("sourceUrl", "is no http or https URL");
  try {
    return { url: readScrapeUrl(row.sourceUrl ?? "", allowsPrivateNetwork), fetch };
  } catch (error) {
    if (error instanceof FetchError) throw notRefreshable("sourceUrl", error.message);
    throw error;
  }
}

const notRefreshable = (path: string, message: string) => badRequest({ path, message });

/** Only for a document that still says what the page said: an edited one is to become the page again. */
function validatorsOf(row: DocumentRow, fetch: FetchRow): Validators | undefined {
  if (fetch.finalUrl === null || row.contentHash !== row.source.contentHash) return undefined;
  return {
    url: fetch.finalUrl,
    etag: fetch.etag ?? undefined,
    lastModified: fetch.lastModified ?? undefined,
  };
}
