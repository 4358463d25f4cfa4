// What a disk may contain after a loss of power, from a recording of preload.c: everything up to the last sync of each
// file, and any part of what was written later.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const HEADER_BYTES = 24;
const SECTORS = [512, 4096] as const;

type Change = { kind: "write"; offset: number; data: Uint8Array } | { kind: "truncate"; bytes: number };

/** A file, whatever its name: what is on the disk for sure, and what was changed since the last sync. */
interface Inode {
  stored: Buffer;
  bytes: number;
  changes: Change[];
}

type Entry = { kind: "create"; name: string; inode: Inode } | { kind: "unlink"; name: string };

type Kind = "write" | "truncate" | "sync" | "create" | "unlink" | "sync directory";
const KINDS: readonly (Kind | undefined)[] = [
  undefined,
  "write",
  "truncate",
  "sync",
  "create",
  "unlink",
  "sync directory",
];

export interface DiskRecord {
  kind: Kind;
  name: string;
  offset: number;
  data: Uint8Array;
  /** Number of bytes of the recording up to its end. */
  end: number;
}

/** The complete records of a recording. */
export function* readRecords(recording: Buffer): Generator<DiskRecord> {
  for (let at = 0; at + HEADER_BYTES <= recording.length; ) {
    const nameBytes = recording.readUInt32LE(at + 4);
    const dataBytes = Number(recording.readBigUInt64LE(at + 16));
    const nameAt = at + HEADER_BYTES;
    const end = nameAt + nameBytes + dataBytes;
    if (end > recording.length) return;
    yield {
      kind: KINDS[recording.readUInt32LE(at)]!,
      offset: Number(recording.readBigUInt64LE(at + 8)),
      name: recording.toString("utf8", nameAt, nameAt + nameBytes),
      data: recording.subarray(nameAt + nameBytes, end),
      end,
    };
    at = end;
  }
}

export interface Disk {
  apply(record: DiskRecord): void;
  /** Whether something was changed since the last sync. */
  hasChanges(): boolean;
  /**
   * The files if power is lost now: by name, complete contents. `keep` is the share of unsynced changes that survive.
   */
  afterPowerLoss(keep: number, random: () => number): Map<string, Uint8Array>;
  /** The files if nothing is lost. */
  complete(): Map<string, Uint8Array>;
}

/**
 * An empty data directory. `created` are files that the program makes before SQLite does, by calls that the recording
 * does not contain: they are empty, and their names are not stored for sure. Without `honoursSync`, nothing is ever
 * stored for sure: to show that the checks notice it.
 */
export function createDisk({ honoursSync = true, created = [] as readonly string[] } = {}): Disk {
  const names = new Map<string, Inode>();
  const storedNames = new Map<string, Inode>();
  const entries: Entry[] = [];
  const create = (name: string) => {
    const inode: Inode = { stored: Buffer.alloc(0), bytes: 0, changes: [] };
    names.set(name, inode);
    entries.push({ kind: "create", name, inode });
  };
  for (const name of created) create(name);

  const sync = (inode: Inode) => {
    for (const change of inode.changes) applyChange(inode, change);
    inode.changes = [];
  };

  return {
    apply({ kind, name, offset, data }) {
      const inode = names.get(name);
      if (kind === "create") create(name);
      else if (kind === "unlink") {
        names.delete(name);
        entries.push({ kind, name });
      } else if (kind === "sync directory") {
        if (honoursSync) for (const entry of entries.splice(0)) link(storedNames, entry);
      } else if (!inode) throw new Error(`${kind} of ${name}, which was not created`);
      else if (kind === "write") inode.changes.push({ kind, offset, data });
      else if (kind === "truncate") inode.changes.push({ kind, bytes: offset });
      else if (honoursSync) sync(inode);
    },
    hasChanges: () => [...names.values()].some(({ changes }) => changes.length > 0),
    afterPowerLoss(keep, random) {
      // Changes of the directory are kept in their order: file systems write them to a journal.
      const found = new Map(storedNames);
      const kept = honoursSync ? Math.round(entries.length * random()) : entries.length;
      for (const entry of entries.slice(0, kept)) link(found, entry);
      return contents(found, (change) => (random() < keep ? torn(change, random) : []));
    },
    complete: () => contents(names, (change) => [change]),
  };
}

function link(names: Map<string, Inode>, entry: Entry): void {
  if (entry.kind === "create") names.set(entry.name, entry.inode);
  else names.delete(entry.name);
}

/** The files with the changes that `select` returns for each unsynced one. */
function contents(
  names: ReadonlyMap<string, Inode>,
  select: (change: Change) => Change[],
): Map<string, Uint8Array> {
  return new Map(
    [...names].map(([name, { stored, bytes, changes }]) => {
      const inode: Inode = { stored: Buffer.from(stored.subarray(0, bytes)), bytes, changes: [] };
      for (const change of changes.flatMap(select)) applyChange(inode, change);
      return [name, inode.stored.subarray(0, inode.bytes)];
    }),
  );
}

function applyChange(inode: Inode, change: Change): void {
  const end = change.kind === "write" ? change.offset + change.data.length : change.bytes;
  if (end > inode.stored.length) {
    const larger = Buffer.alloc(Math.max(end, inode.stored.length * 2));
    larger.set(inode.stored.subarray(0, inode.bytes));
    inode.stored = larger;
  }
  if (change.kind === "write") {
    inode.stored.set(change.data, change.offset);
    inode.bytes = Math.max(inode.bytes, end);
  } else {
    // What is appended to a shorter file later is preceded by zeros.
    if (end < inode.bytes) inode.stored.fill(0, end, inode.bytes);
    inode.bytes = end;
  }
}

/** The change, or, for a third of the writes, some of its sectors. */
function torn(change: Change, random: () => number): Change[] {
  if (change.kind === "truncate" || random() < 2 / 3) return [change];
  const sector = SECTORS[Math.floor(random() * SECTORS.length)]!;
  const parts: Change[] = [];
  for (let from = 0; from < change.data.length; from += sector) {
    if (random() < 0.5) continue;
    parts.push({
      kind: "write",
      offset: change.offset + from,
      data: change.data.subarray(from, from + sector),
    });
  }
  return parts;
}

/** Writes the files into a new folder. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, content] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o600 });
  }
}
