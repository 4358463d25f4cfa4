// One run of push, pull or sync: walks the lists of both sides, and settles each record that is new or has changed.
// Only ids and digests are kept in memory, and what was done is stored after each group of records.

import type { RemoteLink } from "../features/console/replies.ts";
import { createAll } from "./create.ts";
import {
  inGroups,
  type Run,
  type RunOptions,
  type Selection,
  selectionOf,
  writes,
  type Outcome,
} from "./context.ts";
import type { Links } from "./links.ts";
import { settleMemberships } from "./memberships.ts";
import type { Kind, Listed } from "./records.ts";
import { recover } from "./recover.ts";
import { emptyReport, type Report } from "./report.ts";
import { settle, type Work } from "./settle.ts";
import type { Side } from "./side.ts";

/** Records that are settled at the same time. */
const LANES = 8;
/** Records whose pairs are looked up at once. */
const GROUP = 100;
/** Deeper collections are copied in any order: their parents may be missing. */
const MAX_DEPTH = 64;
/** Records of one title that are compared with a new one. */
const MAX_CANDIDATES = 10;

/** Collections come first: they are needed for their members. */
export const KINDS: readonly Kind[] = ["collection", "prompt", "document"];

export interface Sides {
  own: Side;
  other: Side;
  links: Links;
  /** The kinds that both sides allow. */
  kinds: readonly Kind[];
  /** An estimate of the number of records, for the progress. */
  total: number;
}

/** Runs once. Throws the Failure of a list that cannot be read and of a server that is lost. */
export async function synchronize(
  sides: Sides,
  options: RunOptions,
): Promise<Report & { memberships: number }> {
  const run: Run = {
    ...sides,
    options,
    report: emptyReport(options.isDryRun),
    seen: { own: new Set(), other: new Set() },
    taken: new Set(),
    seenLinks: new Set(),
    collections: [],
    progress: { done: 0, total: sides.total },
    unavailable: 0,
  };
  await recover(run);
  for (const kind of KINDS) if (sides.kinds.includes(kind)) await runKind(run, kind);
  const memberships = await settleMemberships(run);
  if (sides.kinds.length === KINDS.length) await forgetVanished(run);
  return { ...run.report, memberships };
}

/** What is known of a record of the other side. */
interface OtherRecord {
  isSelected: boolean;
  /** Whether it has no pair, or has changed since the last run. */
  needsWork: boolean;
  hasLink: boolean;
}

interface Others {
  records: Map<string, OtherRecord>;
  /** Those without a pair, by title. */
  byTitle: Map<string, string[]>;
}

async function runKind(run: Run, kind: Kind): Promise<void> {
  const others = await listOthers(run, kind);
  await settleAll(run, kind, worksHere(run, kind, others), others);
  await settleAll(run, kind, worksThere(run, others, kind), others);
}

/** What is to be done about the records of this side, in groups. */
async function* worksHere(run: Run, kind: Kind, others: Others): AsyncGenerator<Work[]> {
  const selection = await selectionOf(run, run.own, kind);
  for await (const group of inGroups(run.own.list(kind), GROUP)) {
    const links = await linksBy(
      run,
      "own",
      group.map(({ id }) => id),
    );
    yield group.flatMap((item) => {
      run.seen.own.add(item.id);
      return workOf(run, { kind, item, link: links.get(item.id) }, { others, selection }) ?? [];
    });
  }
}

/** What is to be done about the records of the other side that were not met here. */
async function* worksThere(run: Run, others: Others, kind: Kind): AsyncGenerator<Work[]> {
  const left = [...others.records].filter(([, { isSelected }]) => isSelected);
  for (let start = 0; start < left.length; start += GROUP) {
    const group = left.slice(start, start + GROUP);
    const links = await linksBy(
      run,
      "other",
      group.map(([id]) => id),
    );
    yield group.flatMap(([id, { hasLink }]): Work[] => {
      const link = links.get(id);
      if (!hasLink || !link) return writes(run.options, "own") ? [{ kind, otherId: id, link }] : leave(run);
      return link.gone === "own" && !run.options.deletes ? [] : [{ kind, link }];
    });
  }
}

/** Reads the list of the other side: which records have changed, and which have no pair. */
async function listOthers(run: Run, kind: Kind): Promise<Others> {
  const records = new Map<string, OtherRecord>();
  const byTitle = new Map<string, string[]>();
  const selection = await selectionOf(run, run.other, kind);
  for await (const group of inGroups(run.other.list(kind), GROUP)) {
    const links = await linksBy(
      run,
      "other",
      group.map(({ id }) => id),
    );
    for (const item of group) {
      const { id, title, stamp } = item;
      const link = links.get(id);
      run.seen.other.add(id);
      const needsWork = link === undefined || link.otherStamp !== stamp || isOpen(link);
      records.set(id, { isSelected: selection.includes(item), needsWork, hasLink: link !== undefined });
      if (link !== undefined) continue;
      const same = byTitle.get(title) ?? [];
      if (same.length < MAX_CANDIDATES) byTitle.set(title, [...same, id]);
    }
  }
  return { records, byTitle };
}

/** Whether the pair has to be looked at even if neither record has changed. */
const isOpen = ({ conflict, gone }: RemoteLink) => conflict !== null || gone !== null;

/** What is to be done about a record of this side; undefined if nothing. */
function workOf(
  run: Run,
  { kind, item, link }: { kind: Kind; item: Listed; link: RemoteLink | undefined },
  { others, selection }: { others: Others; selection: Selection },
): Work | undefined {
  const isSelected = selection.includes(item);
  if (link === undefined) {
    if (!isSelected) return undefined;
    const candidates = others.byTitle.get(item.title);
    if (!candidates && !writes(run.options, "other")) return void leave(run);
    return { kind, ownId: item.id, candidates };
  }
  const other = link.otherId === null ? undefined : others.records.get(link.otherId);
  if (link.otherId !== null) others.records.delete(link.otherId);
  if (!isSelected && !other?.isSelected) return undefined;
  if (other === undefined) return link.gone === "other" && !run.options.deletes ? undefined : { kind, link };
  if (link.ownStamp !== item.stamp || other.needsWork || isOpen(link)) return { kind, link };
  run.report.unchanged++;
  step(run, 1);
  return undefined;
}

/** Settles records a few at a time, and stores after each few what was done. */
async function settleAll(run: Run, kind: Kind, groups: AsyncIterable<Work[]>, others: Others): Promise<void> {
  const settleGroup = async (works: readonly Work[], lanes: number) => {
    for (let start = 0; start < works.length; start += lanes) {
      const group = works.slice(start, start + lanes);
      const outcomes = await Promise.all(group.map((work) => settle(run, work)));
      const created = await createAll(
        run,
        outcomes.flatMap(({ creation }) => creation ?? []),
      );
      await storeOutcomes(run, [...outcomes, ...created], others);
      step(run, group.length);
    }
  };
  if (kind !== "collection") {
    for await (const works of groups) await settleGroup(works, LANES);
    return;
  }
  const all: Work[] = [];
  for await (const works of groups) all.push(...works);
  await settleGroup(await parentsFirst(run, all), 1);
}

/** New collections after those that contain them. */
async function parentsFirst(run: Run, works: readonly Work[]): Promise<Work[]> {
  const idOf = ({ link, ownId, otherId }: Work) => (link ? undefined : (ownId ?? otherId));
  const parents = new Map<string, string | undefined>();
  for (const work of works) {
    const id = idOf(work);
    if (id === undefined) continue;
    const form = await (work.ownId === undefined ? run.other : run.own).readShort("collection", id);
    parents.set(id, form?.parentId);
  }
  const depthOf = (id: string | undefined): number => {
    let depth = 0;
    for (let at = id; at !== undefined && depth < MAX_DEPTH; at = parents.get(at)) depth++;
    return depth;
  };
  return works.toSorted((a, b) => depthOf(idOf(a)) - depthOf(idOf(b)));
}

async function storeOutcomes(run: Run, outcomes: readonly Outcome[], others: Others): Promise<void> {
  for (const { pairedId } of outcomes) if (pairedId !== undefined) others.records.delete(pairedId);
  if (run.options.isDryRun) return;
  const forgotten = outcomes.flatMap((outcome) => outcome.forgotten ?? []);
  if (forgotten.length > 0) await run.links.forget(forgotten);
  const stored = await run.links.store(outcomes.flatMap((outcome) => outcome.link ?? []));
  for (const link of stored) {
    run.seenLinks.add(link.id);
    if (link.kind === "collection" && link.gone === null) run.collections.push(link);
    for (const side of ["own", "other"] as const) {
      const id = side === "own" ? link.ownId : link.otherId;
      if (id !== null && link.gone !== side) run.seen[side].add(id);
    }
  }
}

async function linksBy(
  run: Run,
  side: "own" | "other",
  ids: readonly string[],
): Promise<Map<string, RemoteLink>> {
  const links = await run.links.find(side, ids);
  for (const { id } of links) run.seenLinks.add(id);
  return new Map(links.map((link) => [(side === "own" ? link.ownId : link.otherId)!, link]));
}

/** Forgets the pairs of records that were deleted on both sides. */
async function forgetVanished(run: Run): Promise<void> {
  const { own, other, links, seenLinks, options } = run;
  const vanished: number[] = [];
  for await (const { id, kind, ownId, otherId } of links.list()) {
    if (seenLinks.has(id) || ownId === null || otherId === null) continue;
    const exists = (await own.readShort(kind, ownId)) ?? (await other.readShort(kind, otherId));
    if (exists === undefined) vanished.push(id);
  }
  if (!options.isDryRun) await links.forget(vanished);
}

/** Counts a new record that the direction of the run leaves where it is. */
function leave(run: Run): [] {
  run.report.counts.waiting++;
  step(run, 1);
  return [];
}

function step({ progress, options }: Run, count: number): void {
  progress.done += count;
  options.onProgress(progress.done, Math.max(progress.done, progress.total));
}
