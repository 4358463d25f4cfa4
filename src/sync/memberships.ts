// Brings the members of a pair of collections to the same state: what either side has added is added, what either side
// has removed is removed. Records without a pair stay where they are.

import type { RemoteLink } from "../features/console/replies.ts";
import { inGroups, opposite, type Run, type SideName, writes } from "./context.ts";
import type { Kind } from "./records.ts";

const GROUP = 100;
/** The first pass writes, the second one finds both sides equal. */
const PASSES = 2;

interface Members {
  /** The pairs of the members. */
  links: Map<number, RemoteLink>;
  /** Whether all members have a pair. */
  isComplete: boolean;
}

/** Compares the members of all collections that may have changed. Returns how many memberships were changed. */
export async function settleMemberships(run: Run): Promise<number> {
  let changed = 0;
  for (const link of run.collections) changed += await settleMembers(run, link);
  return changed;
}

async function settleMembers(run: Run, link: RemoteLink): Promise<number> {
  const { ownId, otherId } = link;
  if (ownId === null || otherId === null) return 0;
  let changed = 0;
  for (let pass = 1; pass <= PASSES; pass++) {
    // The stamps are read before the members, so that a later change is seen by the next run.
    const [own, other] = await Promise.all([
      run.own.readShort("collection", ownId),
      run.other.readShort("collection", otherId),
    ]);
    if (!own || !other) return changed;
    const members = {
      own: await membersOf(run, "own", ownId),
      other: await membersOf(run, "other", otherId),
    };
    const base = await run.links.members(link.id);
    const { toAdd, toRemove } = difference(run, members, base);
    const count = [...Object.values(toAdd), ...Object.values(toRemove)].reduce(
      (sum, list) => sum + list.length,
      0,
    );
    if (run.options.isDryRun) return count;
    let written = 0;
    for (const side of ["own", "other"] as const) {
      if (!writes(run.options, side)) continue;
      const id = side === "own" ? ownId : otherId;
      written += await apply(run, side, { id, action: "add", links: toAdd[side] });
      written += await apply(run, side, { id, action: "remove", links: toRemove[side] });
    }
    changed += written;
    if (written > 0 && pass < PASSES) continue;
    await storeBase(run, link.id, members, base);
    const isSettled = count === 0 && members.own.isComplete && members.other.isComplete;
    const stamps = isSettled ? { ownStamp: own.stamp, otherStamp: other.stamp } : {};
    await run.links.store([{ ...link, ...stamps }]);
  }
  return changed;
}

async function membersOf(run: Run, side: SideName, collectionId: string): Promise<Members> {
  const links = new Map<number, RemoteLink>();
  let isComplete = true;
  for await (const group of inGroups(run[side].items(collectionId), GROUP)) {
    const found = await run.links.find(
      side,
      group.map(({ id }) => id),
    );
    const usable = found.filter(
      ({ ownId, otherId, gone }) => ownId !== null && otherId !== null && gone === null,
    );
    for (const link of usable) links.set(link.id, link);
    isComplete &&= usable.length === group.length;
  }
  return { links, isComplete };
}

type BothMembers = Record<SideName, Members>;
type PerSide = Record<SideName, RemoteLink[]>;

/** What each side lacks and has too much. */
function difference(
  run: Run,
  members: BothMembers,
  base: ReadonlySet<number>,
): { toAdd: PerSide; toRemove: PerSide } {
  const toAdd: PerSide = { own: [], other: [] };
  const toRemove: PerSide = { own: [], other: [] };
  for (const side of ["own", "other"] as const) {
    const there = opposite(side);
    for (const [id, link] of members[side].links) {
      if (members[there].links.has(id)) continue;
      if (!base.has(id)) toAdd[there].push(link);
      // A record that was deleted there is not one that was removed from the collection.
      else if (run.seen[there].has((there === "own" ? link.ownId : link.otherId) ?? ""))
        toRemove[side].push(link);
    }
  }
  return { toAdd, toRemove };
}

async function apply(
  run: Run,
  side: SideName,
  { id, action, links }: { id: string; action: "add" | "remove"; links: readonly RemoteLink[] },
): Promise<number> {
  for (const kind of ["document", "prompt"] satisfies Kind[]) {
    const ids = links
      .filter((link) => link.kind === kind)
      .flatMap((link) => (side === "own" ? link.ownId : link.otherId) ?? []);
    if (ids.length > 0) await run[side].changeItems(id, { action, kind, ids });
  }
  return links.length;
}

/** Stores the last common members: those of the side that the run does not write, or the common ones. */
async function storeBase(
  run: Run,
  collection: number,
  members: BothMembers,
  base: ReadonlySet<number>,
): Promise<void> {
  const { direction } = run.options;
  const [own, other] = [members.own.links, members.other.links];
  const wanted = new Set((direction === "pull" ? other : own).keys());
  if (direction === "sync") for (const id of wanted) if (!other.has(id)) wanted.delete(id);
  const added = [...wanted].filter((id) => !base.has(id));
  const removed = [...base].filter((id) => !wanted.has(id));
  await run.links.storeMembers(collection, added, removed);
}
