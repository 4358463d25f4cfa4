// Brings one record to the same state on both sides: copies, merges, reports a conflict, or lets a deletion travel.

import type { RemoteLink } from "../features/console/replies.ts";
import { Failure } from "../kernel/errors.ts";
import { cutBytes } from "../kernel/text.ts";
import { contentOfBase, opposite, placeOf, type Run, type SideName, writes } from "./context.ts";
import type { Link } from "./links.ts";
import { fieldsToMerge, planPair } from "./plan.ts";
import { type Fields, type Form, isSameRecord, type Kind, type StoredFields, stored } from "./records.ts";
import { type Action, note } from "./report.ts";

/** A record to look at, by its pair or by its id on one side. */
export interface Work {
  kind: Kind;
  link?: RemoteLink | undefined;
  ownId?: string | undefined;
  otherId?: string | undefined;
  /** Records of the other side without a pair that may be the same, by their titles. */
  candidates?: readonly string[] | undefined;
}

/** What is to be stored about the pair; nothing if nothing changes. */
export interface Outcome {
  link?: Link;
  /** The id of a pair that no longer exists. */
  forgotten?: number;
  /** The record of the other side that was found to be the same. */
  pairedId?: string;
}

/** How often a record is read again because it has changed meanwhile. */
const MAX_TRIES = 3;

/** Failures in a row after which the server is taken to be down. */
const MAX_UNAVAILABLE = 3;

/** Settles one record. One that cannot be settled is reported; only a server that is lost ends the run. */
export async function settle(run: Run, work: Work): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      const outcome = await settleOnce(run, work);
      run.unavailable = 0;
      return outcome;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.kind === "precondition-failed" && attempt < MAX_TRIES) continue;
      if (ENDS_RUN.has(error.kind)) throw error;
      if (error.kind === "unavailable" && ++run.unavailable >= MAX_UNAVAILABLE) throw error;
      const id = work.link?.ownId ?? work.ownId ?? work.link?.otherId ?? work.otherId ?? "";
      const title = work.link ? titleIn(work.link.base as StoredFields) : id;
      note(run.report, { action: "failed", kind: work.kind, title, side: "both", id, reason: error.message });
      return {};
    }
  }
}

/** After these no other record succeeds either. */
const ENDS_RUN = new Set(["unauthenticated", "forbidden", "rate-limited"]);

async function settleOnce(run: Run, work: Work): Promise<Outcome> {
  const { kind, link } = work;
  const ownId = link?.ownId ?? work.ownId;
  const otherId = link?.otherId ?? work.otherId;
  const [own, other] = await Promise.all([
    ownId === undefined ? undefined : run.own.read(kind, ownId),
    otherId === undefined ? undefined : run.other.read(kind, otherId),
  ]);
  if (own?.isUnfinished || other?.isUnfinished) return {};
  if (own && other) return settlePair(run, { kind, own, other, link });
  if (!own && !other) return link ? { forgotten: link.id } : {};
  if (link) return settleGone(run, link, own ? "other" : "own", own ?? other!);
  if (!own) return create(run, kind, "own", other!);
  const same = await sameRecord(run, own, work);
  if (same) return { ...(await settlePair(run, { kind, own, other: same, link })), pairedId: same.id };
  return create(run, kind, "other", own);
}

/** A record of the other side without a pair that is the same in all fields. */
async function sameRecord(run: Run, own: Form, { kind, candidates = [] }: Work): Promise<Form | undefined> {
  const fields = stored(own.fields);
  for (const id of candidates) {
    if (run.taken.has(id)) continue;
    const form = await run.other.read(kind, id);
    // Looked up again, because another record may have been paired meanwhile.
    if (!form || run.taken.has(id) || !isSameRecord(fields, form.fields)) continue;
    run.taken.add(id);
    return form;
  }
  return undefined;
}

interface BothForms {
  kind: Kind;
  own: Form;
  other: Form;
  link?: RemoteLink | undefined;
}

async function settlePair(run: Run, { kind, own, other, link }: BothForms): Promise<Outcome> {
  const { options, report } = run;
  const base = link?.base as StoredFields | undefined;
  const pair = { kind, own: own.fields, other: other.fields, base };
  const needsContent = base !== undefined && fieldsToMerge(pair).includes("content");
  const ids = { kind, ownId: own.id, otherId: other.id };
  const baseTexts = needsContent ? await contentOfBase(run, ids, base) : undefined;
  const plan = planPair({ ...pair, ...(baseTexts && { baseTexts }) }, options.direction, options.prefer);
  const pairIds = { ...(link && { id: link.id }), ...ids };
  const line = { kind, title: titleOf(own.fields), id: own.id };

  if (plan.clashes.length > 0) {
    note(report, { ...line, action: "conflict", side: "both", reason: plan.clashes.join(", ") });
    const conflict = conflictOf(plan.clashes, other.fields, line.title);
    return { link: linkOf(pairIds, { own, other, base: plan.base, conflict }) };
  }
  const [writesOwn, writesOther] = [plan.own, plan.other].map((fields) => Object.keys(fields).length > 0);
  const isLeft = plan.leavesOwn || plan.leavesOther;
  const action: Action | undefined =
    writesOwn && writesOther
      ? "merged"
      : writesOwn || writesOther
        ? "updated"
        : isLeft
          ? "waiting"
          : link
            ? undefined
            : "paired";
  const side = writesOwn && writesOther ? "both" : writesOther || plan.leavesOwn ? "there" : "here";
  const noteAction = () => {
    if (action === undefined) report.unchanged++;
    else note(report, { ...line, action, side });
  };
  if (options.isDryRun) {
    noteAction();
    return {};
  }
  const nowOther = writesOther ? await run.other.update(kind, other, plan.other) : other;
  const nowOwn = writesOwn ? await run.own.update(kind, own, plan.own) : own;
  noteAction();
  return {
    link: linkOf(pairIds, {
      own: plan.leavesOwn ? { ...nowOwn, stamp: null } : nowOwn,
      other: plan.leavesOther ? { ...nowOther, stamp: null } : nowOther,
      base: plan.base,
      conflict: null,
    }),
  };
}

/** Creates the record of one side on the other one. */
async function create(run: Run, kind: Kind, target: SideName, source: Form): Promise<Outcome> {
  const { options, report } = run;
  const line = { kind, title: titleOf(source.fields), id: source.id };
  if (!writes(options, target)) {
    note(report, { ...line, action: "waiting", side: placeOf(target) });
    return {};
  }
  const noteCreated = () => note(report, { ...line, action: "created", side: placeOf(target) });
  if (options.isDryRun) {
    noteCreated();
    return {};
  }
  const parentId = source.parentId === undefined ? undefined : await parentOn(run, target, source.parentId);
  const base = stored(source.fields);
  const none = { id: null, stamp: null, revision: null };
  const forms = (made: Form | typeof none) =>
    target === "other" ? { own: source, other: made } : { own: made, other: source };
  const idsOf = ({ own, other }: ReturnType<typeof forms>) => ({ kind, ownId: own.id, otherId: other.id });
  // Stored before the record is created, so that the next run finds it again if this one is killed in between.
  const before = forms(none);
  const [intent] = await run.links.store([linkOf(idsOf(before), { ...before, base, conflict: null })]);
  try {
    const { fields, sourceType } = source;
    const key = `ctxrepo-${kind}-${source.id}`;
    const made = await run[target].create(kind, { fields, key, sourceType, parentId });
    const after = forms(made);
    noteCreated();
    return { link: linkOf({ id: intent!.id, ...idsOf(after) }, { ...after, base, conflict: null }) };
  } catch (error) {
    if (error instanceof Failure && NOT_CREATED.has(error.kind)) await run.links.forget([intent!.id]);
    throw error;
  }
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

/** The collection on a side that contains the new one; undefined if it is not exchanged. */
async function parentOn({ links }: Run, target: SideName, parentId: string): Promise<string | undefined> {
  const [link] = await links.find(opposite(target), [parentId]);
  return (target === "own" ? link?.ownId : link?.otherId) ?? undefined;
}

/** A record that was deleted on one side, `missing`. */
async function settleGone(run: Run, link: RemoteLink, missing: SideName, form: Form): Promise<Outcome> {
  const { options, report } = run;
  const { kind } = link;
  const target = opposite(missing);
  const where = placeOf(missing);
  const line = { kind, title: titleOf(form.fields), id: form.id, side: placeOf(target) } as const;
  const wait = (reason: string): Outcome => {
    note(report, { ...line, action: "waiting", reason });
    return { link: { ...link, gone: missing } };
  };
  if (!options.deletes || !writes(options, target))
    return wait(`deleted ${where}; --delete lets this travel`);
  const base = link.base as StoredFields;
  if (!isSameRecord(base, form.fields)) {
    if (options.prefer === undefined) {
      note(report, { ...line, action: "conflict", reason: `deleted ${where}, changed ${placeOf(target)}` });
      const conflict = { fields: ["deleted"], title: line.title, gone: missing };
      return { link: { ...link, conflict, gone: missing } };
    }
    const keeps = (options.prefer === "ours") === (missing === "other");
    // Without its pair the record is a new one, and is copied by the next run.
    if (keeps) return { forgotten: link.id };
  }
  if (kind === "document" && form.fields.archived !== true) {
    const archived = options.isDryRun ? form : await run[target].update(kind, form, { archived: true });
    note(report, { ...line, action: "archived", reason: `deleted ${where}` });
    const stamps = target === "own" ? { ownStamp: archived.stamp } : { otherStamp: archived.stamp };
    const newBase = { ...base, ...stored({ ...form.fields, archived: true }) };
    return { link: { ...link, ...stamps, base: newBase, conflict: null, gone: missing } };
  }
  if (link.gone !== missing) return wait(`deleted ${where}; the next run with --delete deletes it`);
  if (!options.isDryRun) {
    if (kind === "collection") await empty(run, target, form.id);
    await run[target].remove(kind, form);
  }
  note(report, { ...line, action: "deleted", reason: `deleted ${where}` });
  return { forgotten: link.id };
}

/** Removes the members of a collection, which stay as records: a server may keep a collection that is not empty. */
async function empty(run: Run, target: SideName, collectionId: string): Promise<void> {
  const members: { kind: Kind; id: string }[] = [];
  for await (const item of run[target].items(collectionId)) members.push(item);
  for (const kind of ["document", "prompt"] as const) {
    const ids = members.filter((item) => item.kind === kind).map(({ id }) => id);
    await run[target].changeItems(collectionId, { action: "remove", kind, ids });
  }
}

interface SideState {
  id: string | null;
  stamp: string | null;
  revision: number | null;
}

/** A pair to store. The stamps of collections are stored once their members are the same. */
function linkOf(
  ids: { id?: number; kind: Kind; ownId: string | null; otherId: string | null },
  {
    own,
    other,
    base,
    conflict,
  }: { own: SideState; other: SideState; base: StoredFields; conflict: Link["conflict"] },
): Link {
  const isCollection = ids.kind === "collection";
  return {
    ...ids,
    ownStamp: isCollection ? null : own.stamp,
    otherStamp: isCollection ? null : other.stamp,
    ownRevision: own.revision,
    otherRevision: other.revision,
    base,
    conflict,
    gone: null,
  };
}

const titleOf = (fields: Fields): string => String(fields.title ?? fields.name ?? "");

function titleIn(base: StoredFields): string {
  const at = base.title ?? base.name;
  return at !== undefined && "value" in at ? String(at.value) : "";
}

/** Bytes of each field of the other side that are kept to be shown. */
const MAX_SHOWN_BYTES = 32 * 1024;

/** What the console shows of a conflict: the fields as they are there. */
function conflictOf(clashes: readonly string[], other: Fields, title: string): Record<string, unknown> {
  const shown = clashes.map((field) => {
    const value = other[field];
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    return [field, cutBytes(text, MAX_SHOWN_BYTES)];
  });
  return { fields: clashes, title, other: Object.fromEntries(shown) };
}
