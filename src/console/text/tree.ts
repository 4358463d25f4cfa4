// Collections as a tree.

/** A collection with its depth; top-level collections have depth 0. */
export interface TreeRow<Item> {
  item: Item;
  depth: number;
}

/** Every collection after its parent, in the given order among siblings. One whose parent is unknown is at the top. */
export function inTreeOrder<Item extends { id: string; parentId: string | null }>(
  items: readonly Item[],
): TreeRow<Item>[] {
  const known = new Set(items.map(({ id }) => id));
  const children = Map.groupBy(items, ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : null,
  );
  const rows: TreeRow<Item>[] = [];
  const waiting = (children.get(null) ?? []).map((item) => ({ item, depth: 0 })).reverse();
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    const { depth } = row;
    for (const item of (children.get(row.item.id) ?? []).toReversed())
      waiting.push({ item, depth: depth + 1 });
  }
  return rows;
}
