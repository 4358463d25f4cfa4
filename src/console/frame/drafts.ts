// Text that was typed and not yet saved, kept in this browser until it is saved or discarded. Each tab keeps its own
// draft of a record; the draft of a tab that was closed is continued by the next tab that edits the record.

import { signal } from "@preact/signals";
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { now } from "../text/format.ts";

/** What a draft belongs to. */
export interface DraftSubject {
  kind: "document" | "prompt" | "page";
  /** The id of the record, or "" for a new one. */
  id: string;
  /** What to call it in lists. */
  title: string;
}

/** A draft without its text. */
export interface Draft extends DraftSubject {
  key: string;
  userId: string;
  tab: string;
  /** Epoch ms. */
  typedAt: number;
}

interface Drafts extends DBSchema {
  drafts: { key: string; value: Draft };
  values: { key: string; value: unknown };
}

/** Where a draft is edited. */
export function editAddress({ kind, id }: Pick<DraftSubject, "kind" | "id">): string {
  if (id !== "") return `/console/${kind}s/${id}?view=edit`;
  return kind === "document" ? "/console/add" : `/console/add?what=${kind}`;
}

/** Older drafts are deleted when the console is opened. */
export const MAX_DRAFT_DAYS = 90;
const DAY_MS = 86_400_000;
const TAB = "ctxrepo tab";
const stores = ["drafts", "values"] as const;

/** The drafts of all tabs, latest first. */
export const drafts = signal<readonly Draft[]>([]);
/** The keys of drafts of this tab that the browser refused to keep. */
const refused = signal<ReadonlySet<string>>(new Set());

let opened: Promise<IDBPDatabase<Drafts>> | undefined;
let userId = "";
let tab = "";
const otherTabs = new BroadcastChannel("ctxrepo drafts");

const lockOf = (id: string) => `${TAB} ${id}`;

function database(): Promise<IDBPDatabase<Drafts>> {
  opened ??= openDB<Drafts>("ctxrepo drafts", 1, {
    upgrade(created) {
      for (const name of stores) created.createObjectStore(name);
    },
    blocking(_, __, event) {
      (event.target as IDBDatabase).close();
      opened = undefined;
    },
    terminated() {
      opened = undefined;
    },
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

/** Reads the drafts of a user. To be called before the first view is shown. */
export async function openDrafts(ofUser: string): Promise<void> {
  userId = ofUser;
  if (tab === "") {
    tab = await nameTab();
    otherTabs.addEventListener("message", () => refreshDrafts());
    addEventListener("beforeunload", (event) => {
      if (refused.value.size > 0) event.preventDefault();
    });
  }
  await refreshDrafts();
  const oldest = now() - MAX_DRAFT_DAYS * DAY_MS;
  for (const { key, typedAt } of drafts.value) if (typedAt < oldest) await remove(key).catch(() => {});
}

/** The name of this tab: the same after a reload, another one in a copy of the tab. */
async function nameTab(): Promise<string> {
  const before = sessionStorage.getItem(TAB);
  const name = before !== null && (await holdLock(before)) ? before : crypto.randomUUID();
  if (name !== before) await holdLock(name);
  sessionStorage.setItem(TAB, name);
  return name;
}

/** Whether no other tab has this name; the lock is held as long as this tab exists. */
function holdLock(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    navigator.locks.request(lockOf(name), { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => {});
    });
  });
}

/** Reads the list of drafts again. */
export async function refreshDrafts(): Promise<void> {
  try {
    const all = await (await database()).getAll("drafts");
    const own = all.filter((draft) => draft.userId === userId);
    drafts.value = own.sort((a, b) => b.typedAt - a.typedAt);
  } catch {
    // The storage of the browser is switched off: `refused` says so as soon as something is typed.
  }
}

const nameOf = ({ kind, id }: Pick<DraftSubject, "kind" | "id">) => `${kind} ${id === "" ? "new" : id}`;
const keyOf = (subject: DraftSubject, ofTab: string) => `${userId} ${ofTab} ${nameOf(subject)}`;

/** The names of the tabs that are open. */
async function openTabs(): Promise<ReadonlySet<string>> {
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name }) => (name?.startsWith(TAB) ? [name.slice(TAB.length + 1)] : [])));
}

/** Whether another open tab has a draft of the same record. */
export async function isDraftedElsewhere(subject: DraftSubject): Promise<boolean> {
  const others = drafts.value.filter((one) => one.tab !== tab && nameOf(one) === nameOf(subject));
  if (others.length === 0) return false;
  const open = await openTabs();
  return others.some((other) => open.has(other.tab));
}

/** The draft of this tab, or else the latest one of a closed tab, which then becomes that of this tab. */
export async function findDraft<Value>(
  subject: DraftSubject,
): Promise<{ value: Value; typedAt: number } | undefined> {
  try {
    await refreshDrafts();
    const same = drafts.value.filter((one) => nameOf(one) === nameOf(subject));
    const own = same.find((one) => one.tab === tab);
    const open = own ? undefined : await openTabs();
    const found = own ?? same.find((one) => !open?.has(one.tab));
    if (!found) return undefined;
    const value = (await readDraft(found.key)) as Value;
    if (!own) {
      await store(found, value);
      await remove(found.key);
    }
    return { value, typedAt: found.typedAt };
  } catch {
    return undefined;
  }
}

/** The text of a draft, as its editor keeps it. */
export async function readDraft(key: string): Promise<unknown> {
  return (await database()).get("values", key);
}

/** What is to be stored next, by key, and whether it is being stored. Only the latest text is worth storing. */
const waiting = new Map<string, { draft: Draft; value: unknown } | undefined>();

/** Keeps a draft of this tab, and its text as a value that can be cloned. `refused` says if that fails. */
export function keepDraft(subject: DraftSubject, value: unknown): void {
  const key = keyOf(subject, tab);
  const isBusy = waiting.has(key);
  waiting.set(key, { draft: { ...subject, key, userId, tab, typedAt: now() }, value });
  if (!isBusy) keepWaiting(key);
}

async function keepWaiting(key: string): Promise<void> {
  for (let next = waiting.get(key); next; next = waiting.get(key)) {
    waiting.set(key, undefined);
    const isKept = await store(next.draft, next.value).then(
      () => true,
      () => false,
    );
    if (isKept === refused.value.has(key)) setRefused(key, !isKept);
  }
  waiting.delete(key);
}

function setRefused(key: string, isRefused: boolean): void {
  const next = new Set(refused.value);
  if (isRefused) next.add(key);
  else next.delete(key);
  refused.value = next;
}

/** Whether the latest draft of this tab could not be stored. */
export const isRefused = (subject: DraftSubject) => refused.value.has(keyOf(subject, tab));

async function store(draft: Draft, value: unknown): Promise<void> {
  const own: Draft = { ...draft, tab, key: keyOf(draft, tab) };
  const transaction = (await database()).transaction(stores, "readwrite");
  transaction.objectStore("drafts").put(own, own.key);
  transaction.objectStore("values").put(value, own.key);
  // At once, so that a page that is being closed has stored it.
  transaction.commit();
  await transaction.done;
  // Not at every key: the list shows when typing began, until it is read again.
  if (drafts.value.some(({ key }) => key === own.key)) return;
  drafts.value = [own, ...drafts.value];
  otherTabs.postMessage("changed");
}

/** Deletes the draft of this tab, after it was saved or discarded. */
export function forgetDraft(subject: DraftSubject): void {
  const key = keyOf(subject, tab);
  if (waiting.has(key)) waiting.set(key, undefined);
  setRefused(key, false);
  remove(key).catch(() => {});
}

/** Deletes a draft of any tab, and returns a function that brings it back. */
export async function discardDraft(draft: Draft): Promise<() => Promise<void>> {
  const value = await readDraft(draft.key);
  await remove(draft.key);
  return () => store(draft, value);
}

/** Deletes all drafts of the user. */
export async function forgetDrafts(): Promise<void> {
  for (const { key } of drafts.value) await remove(key);
}

async function remove(key: string): Promise<void> {
  const transaction = (await database()).transaction(stores, "readwrite");
  for (const name of stores) transaction.objectStore(name).delete(key);
  transaction.commit();
  await transaction.done;
  if (!drafts.value.some((draft) => draft.key === key)) return;
  drafts.value = drafts.value.filter((draft) => draft.key !== key);
  otherTabs.postMessage("changed");
}
