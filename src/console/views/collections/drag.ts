// What is being dragged. It is not written into the drag itself, so other pages cannot read or forge it.

import { signal } from "@preact/signals";
import type { TreeCollection } from "../../../features/console/replies.ts";

export interface Dragged {
  items: { id: string; type: "document" | "prompt" }[];
}

/** The items, or the collection, that are being dragged; null if nothing is. */
export const dragged = signal<Dragged | { collection: TreeCollection } | null>(null);
