// After a run that was killed while it created records: finds the records that were created without being noted, and
// forgets the creations that were not executed.

import type { RemoteLink } from "../features/console/replies.ts";
import { inGroups, opposite, type Run, type SideName } from "./context.ts";
import { isSameRecord, isStored, type Kind, type StoredFields } from "./records.ts";

/** Records without a pair whose versions are read if none has the expected title. */
const MAX_SEARCHED = 100;
const GROUP = 100;

interface Unpaired {
  id: string;
  title: string;
}

/** Completes or forgets the pairs of which one record is not known. */
export async function recover(run: Run): Promise<void> {
  const open: RemoteLink[] = [];
  for await (const link of run.links.list()) {
    if (link.ownId === null || link.otherId === null) open.push(link);
  }
  const unpaired = new Map<string, Unpaired[]>();
  for (const link of open) {
    const side: SideName = link.ownId === null ? "own" : "other";
    const place = `${side} ${link.kind}`;
    const records = unpaired.get(place) ?? (await recordsWithoutPair(run, side, link.kind));
    unpaired.set(place, records);
    const index = await findCreated(run, side, link, records);
    if (run.options.isDryRun) continue;
    if (index === undefined) await run.links.forget([link.id]);
    else {
      const [{ id }] = records.splice(index, 1) as [Unpaired];
      await run.links.store([side === "own" ? { ...link, ownId: id } : { ...link, otherId: id }]);
    }
  }
}

async function recordsWithoutPair({ links, ...sides }: Run, side: SideName, kind: Kind): Promise<Unpaired[]> {
  const unpaired: Unpaired[] = [];
  for await (const group of inGroups(sides[side].list(kind), GROUP)) {
    const paired = await links.find(
      side,
      group.map(({ id }) => id),
    );
    const known = new Set(paired.map((link) => (side === "own" ? link.ownId : link.otherId)));
    for (const { id, title } of group) if (!known.has(id)) unpaired.push({ id, title });
  }
  return unpaired;
}

/** The index of the record that the creation has made; it may have been changed since. */
async function findCreated(
  run: Run,
  side: SideName,
  link: RemoteLink,
  records: readonly Unpaired[],
): Promise<number | undefined> {
  const base = link.base as StoredFields;
  const wanted = base.title ?? base.name;
  const hasTitle = ({ title }: Unpaired) => isStored("title", wanted, title);
  const all = records.map((record, index) => ({ record, index }));
  const likely = [
    ...all.filter(({ record }) => hasTitle(record)),
    ...all.filter(({ record }) => !hasTitle(record)).slice(0, MAX_SEARCHED),
  ];
  for (const { record, index } of likely) {
    if (await isCreatedBy(run, side, link, record)) return index;
  }
  return undefined;
}

async function isCreatedBy(run: Run, side: SideName, link: RemoteLink, { id }: Unpaired): Promise<boolean> {
  const { kind } = link;
  const base = link.base as StoredFields;
  // A creation may have been interrupted before its last step, which sets what POST did not take.
  const form = await run[side].read(kind, id);
  if (form && isSameRecord(base, form.fields)) return true;
  if (kind === "collection") return form !== undefined && isStored("name", base.name, form.fields.name);
  let oldest: string | undefined;
  for await (const content of run[side].versions(kind, id)) oldest = content;
  const source = opposite(side) === "own" ? link.ownId : link.otherId;
  return oldest !== undefined && source !== id && isStored("content", base.content, oldest);
}
