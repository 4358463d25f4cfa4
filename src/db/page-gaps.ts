// Erases what SQLite leaves in the unused parts of pages. With secure_delete it overwrites what it deletes, but when it
// divides or joins pages, it moves cells and leaves their old bytes between the list of cells and the cells, until the
// page has no other space. The format is that of sqlite.org/fileformat2.html, sections 1.6 and 1.8.

import type { Database } from "bun:sqlite";
import { readSync, writeSync } from "node:fs";

const INTERIOR = new Set([2, 5]);
const LEAF = new Set([10, 13]);
/** The first page begins with the header of the file. */
const FILE_HEADER_BYTES = 100;
const AT_RESERVED = 20;
/**
 * Types of the pointer map: a root and another page of a tree. All others contain free space or the middle of a long
 * value.
 */
const TREE_PAGES = new Set([1, 5]);
const MAP_ENTRY_BYTES = 5;
/** The page that contains this byte is never written: SQLite uses it for locks. */
const LOCK_BYTE = 0x4000_0000;
/** As long as the largest gap. */
const ZEROS = Buffer.alloc(64 * 1024);

/** Offsets in a page: the first byte of the gap, and the first byte after it. */
interface Gap {
  from: number;
  to: number;
}

/**
 * The bytes between the list of cells and the cells of a tree's page. `usable` is the size of the page without reserved
 * bytes. Undefined if they are all zero, or if the page is not as the format says.
 */
function usedGapOf(page: Buffer, number: number, usable: number): Gap | undefined {
  const header = number === 1 ? FILE_HEADER_BYTES : 0;
  const type = page[header]!;
  if (!INTERIOR.has(type) && !LEAF.has(type)) return undefined;
  const pointers = header + (LEAF.has(type) ? 8 : 12);
  const pointersEnd = pointers + 2 * page.readUInt16BE(header + 3);
  // 0 means 65,536.
  const content = page.readUInt16BE(header + 5) || 65_536;
  if (pointersEnd > content || content > usable) return undefined;
  for (let at = pointers; at < pointersEnd; at += 2) {
    const cell = page.readUInt16BE(at);
    if (cell < content || cell >= usable) return undefined;
  }
  const gap = page.subarray(pointersEnd, content);
  return gap.equals(ZEROS.subarray(0, gap.length)) ? undefined : { from: pointersEnd, to: content };
}

export interface Portion {
  /** The number of the first page. */
  from: number;
  pages: number;
}

export interface Cleared {
  /** How many pages had something in their gaps. */
  cleared: number;
  /** The first page after the portion; undefined at the end of the file. */
  next: number | undefined;
}

/**
 * Sets the gaps of some pages to zero, in the file itself: SQL has no way to do that. `database` must have begun a
 * write while the log was empty: then the pages in the file are those that everybody reads, and nobody else writes.
 * `descriptor` is the open file. Only bytes that no reader uses are written, so readers, a crash and a power failure in
 * the middle find a valid file. Files that were made before the migration 0010 have no map that says which pages belong
 * to trees: nothing is cleared in them.
 */
export function clearPortion(database: Database, descriptor: number, { from, pages }: Portion): Cleared {
  const { size, count, vacuum } = database
    .query<{ size: number; count: number; vacuum: number }, []>(
      `SELECT page_size AS size, page_count AS count, auto_vacuum AS vacuum
       FROM pragma_page_size, pragma_page_count, pragma_auto_vacuum`,
    )
    .get()!;
  if (vacuum === 0) return { cleared: 0, next: undefined };
  const end = Math.min(from + pages, count + 1);
  const bytes = Buffer.alloc((end - from) * size);
  readSync(descriptor, bytes, 0, bytes.length, (from - 1) * size);
  const first = Buffer.alloc(FILE_HEADER_BYTES);
  readSync(descriptor, first, 0, first.length, 0);
  const usable = size - first[AT_RESERVED]!;
  const isTreePage = pageTypes(descriptor, size, usable);
  let cleared = 0;
  for (let number = from; number < end; number++) {
    const page = bytes.subarray((number - from) * size, (number - from + 1) * size);
    const gap = isTreePage(number) ? usedGapOf(page, number, usable) : undefined;
    if (!gap) continue;
    writeSync(descriptor, ZEROS, 0, gap.to - gap.from, (number - 1) * size + gap.from);
    cleared++;
  }
  return { cleared, next: end > count ? undefined : end };
}

/**
 * Says by the pointer map whether a page belongs to a tree. Page 2 is the first page of the map, which describes as
 * many pages after it as it has space for; the next page of the map follows these.
 */
function pageTypes(descriptor: number, size: number, usable: number): (number: number) => boolean {
  const described = Math.floor(usable / MAP_ENTRY_BYTES);
  const lockPage = Math.floor(LOCK_BYTE / size) + 1;
  const map = Buffer.alloc(size);
  let mapNumber = 0;
  return (number) => {
    if (number === 1) return true;
    if (number === lockPage) return false;
    let wanted = number - ((number - 2) % (described + 1));
    if (wanted === lockPage) wanted++;
    if (number <= wanted) return false;
    if (wanted !== mapNumber) {
      readSync(descriptor, map, 0, size, (wanted - 1) * size);
      mapNumber = wanted;
    }
    return TREE_PAGES.has(map[MAP_ENTRY_BYTES * (number - wanted - 1)]!);
  };
}
