// What a reader left out of a file or page, or could not read: so that nothing is lost without a word. Must run in a
// browser, too.

/** The kinds of what is left out, in the singular and the plural. */
const KINDS = {
  aside: ["paragraph beside the main text", "paragraphs beside the main text"],
  attachment: ["attachment", "attachments"],
  chart: ["chart or diagram", "charts or diagrams"],
  comment: ["comment", "comments"],
  encrypted: ["encrypted text", "encrypted texts"],
  formula: ["formula without a stored result", "formulas without a stored result"],
  frame: ["embedded frame or player", "embedded frames or players"],
  "header-or-footer": ["header or footer", "headers or footers"],
  image: ["image", "images"],
  "long-result": ["end of a long result", "ends of long results"],
  "page-without-text": ["page without text", "pages without text"],
  "scanned-page": ["page that is a scanned image", "pages that are scanned images"],
  "unknown-element": ["element of an unknown kind with text", "elements of an unknown kind with text"],
  "unreadable-character": ["character without a meaning", "characters without a meaning"],
  "unreadable-equation": ["part of an equation", "parts of equations"],
  "unreadable-page": ["damaged page", "damaged pages"],
  "unreadable-part": ["damaged part", "damaged parts"],
} as const satisfies Record<string, readonly [one: string, several: string]>;

export type LeftOutKind = keyof typeof KINDS;

/** How many of one kind were left out; `count` is at least 1. */
export interface LeftOut {
  kind: LeftOutKind;
  count: number;
}

/** Counts what is left out while a file is read. */
export interface LeftOutCounter {
  add(kind: LeftOutKind, count?: number): void;
  /** What was counted, in the order of the names of the kinds. */
  all(): LeftOut[];
}

/** Opens a counter for one file or page. */
export function countLeftOut(): LeftOutCounter {
  const counts = new Map<LeftOutKind, number>();
  return {
    add(kind, count = 1) {
      if (count > 0) counts.set(kind, (counts.get(kind) ?? 0) + count);
    },
    all: () =>
      [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => (a.kind < b.kind ? -1 : 1)),
  };
}

/** `left out: 3 images, 1 comment`; undefined if nothing was. */
export function describeLeftOut(all: readonly LeftOut[]): string | undefined {
  if (all.length === 0) return undefined;
  const parts = all.map(({ kind, count }) => {
    const [one, several] = KINDS[kind] ?? [kind, kind];
    return `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
  });
  return `left out: ${parts.join(", ")}`;
}
