// What is being dragged. It is not written into the drag itself, so other pages cannot read or forge it.

import { signal } from "@preact/signals";

export interface Dragged {
  items: { id: string; type: "document" | "prompt" }[];
}

/** The items that are being dragged, or null. */
export const draggedItems = signal<Dragged | null>(null);
