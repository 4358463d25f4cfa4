// Brings one record to the same state on both sides: copies, merges, reports a conflict, or lets a deletion travel.

import type { RemoteLink } from "../features/console/replies.ts";
import { cutBytes } from "../kernel/text.ts";
import {
  contentOfBase,
  opposite,
  placeOf,
  type Run,
  type SideName,
  writes,
  type Outcome,
} from "./context.ts";
import { creationOf } from "./create.ts";
import { linkOf, titleOf } from "./links.ts";
import { reporting } from "./reporting.ts";
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

/** Settles one record. One that cannot be settled is reported; only a server that is lost ends the run. */
export function settle(run: Run, work: Work): Promise<Outcome> {
  const { kind, link } = work;
  const id = link?.ownId ?? work.ownId ?? link?.otherId ?? work.otherId ?? "";
  const title = link ? titleIn(link.base as StoredFields) : id;
  return reporting(run, { kind, id, title }, () => settleOnce(run, work));
}

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
  if (!own) return plan(run, kind, "own", other!);
  const same = await sameRecord(run, own, work);
  if (same) return { ...(await settlePair(run, { kind, own, other: same, link })), pairedId: same.id };
  return plan(run, kind, "other", own);
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

/** The record of one side is to be created on the other one. */
function plan(run: Run, kind: Kind, target: SideName, source: Form): Outcome {
  const { options, report } = run;
  if (writes(options, target) && !options.isDryRun) return { creation: creationOf(kind, target, source) };
  const action = options.isDryRun && writes(options, target) ? "created" : "waiting";
  note(report, { action, kind, title: titleOf(source.fields), id: source.id, side: placeOf(target) });
  return {};
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
