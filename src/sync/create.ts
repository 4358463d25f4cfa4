// Creates records on one side that exist only on the other one. Their pairs are stored before, so that the next run
// finds the records again if this one is killed in between.

import type { RemoteLink } from "../features/console/replies.ts";
import { Failure } from "../kernel/errors.ts";
import { type Creation, type Outcome, opposite, placeOf, type Run, type SideName } from "./context.ts";
import { type Link, linkOf, titleOf } from "./links.ts";
import { type Form, type Kind, stored } from "./records.ts";
import { note } from "./report.ts";
import { reporting } from "./reporting.ts";

const NONE = { id: null, stamp: null, revision: null };

/** The record of one side as one to create on the side `target`. */
export function creationOf(kind: Kind, target: SideName, source: Form): Creation {
  return { kind, target, source, intent: pairOf({ kind, target, source }, NONE) };
}

function pairOf(
  { kind, target, source }: Omit<Creation, "intent">,
  made: Form | typeof NONE,
  id?: number,
): Link {
  const [own, other] = target === "other" ? [source, made] : [made, source];
  const ids = { ...(id !== undefined && { id }), kind, ownId: own.id, otherId: other.id };
  return linkOf(ids, { own, other, base: stored(source.fields), conflict: null });
}

/** A request that was rejected for one of these reasons has created nothing. */
const NOT_CREATED = new Set([
  "bad-request",
  "too-large",
  "conflict",
  "not-found",
  "forbidden",
  "unauthenticated",
]);

/** Stores the pairs of these records in one write, and creates the records at the same time. */
export async function createAll(run: Run, creations: readonly Creation[]): Promise<Outcome[]> {
  const intents = await run.links.store(creations.map(({ intent }) => intent));
  return Promise.all(creations.map((creation, index) => createOne(run, creation, intents[index]!)));
}

async function createOne(run: Run, creation: Creation, { id: linkId }: RemoteLink): Promise<Outcome> {
  const { kind, target, source } = creation;
  const { id, parentId, fields, sourceType } = source;
  const record = { kind, id, title: titleOf(fields) };
  return reporting(run, record, async () => {
    try {
      const parent = parentId === undefined ? undefined : await parentOn(run, target, parentId);
      const key = `ctxrepo-${kind}-${id}`;
      const made = await run[target].create(kind, { fields, key, sourceType, parentId: parent });
      note(run.report, { ...record, action: "created", side: placeOf(target) });
      return { link: pairOf(creation, made, linkId) };
    } catch (error) {
      if (error instanceof Failure && NOT_CREATED.has(error.kind)) await run.links.forget([linkId]);
      throw error;
    }
  });
}

/** The collection on a side that contains the new one; undefined if it is not exchanged. */
async function parentOn({ links }: Run, target: SideName, parentId: string): Promise<string | undefined> {
  const [link] = await links.find(opposite(target), [parentId]);
  return (target === "own" ? link?.ownId : link?.otherId) ?? undefined;
}
