// Collections as a tree.

/** A collection with its depth; top-level collections have depth 0. */
export interface TreeRow<Item> {
  item: Item;
  depth: number;
  hasChildren: boolean;
}

/**
 * Every collection after its parent, in the given order among siblings, without those inside the closed ones. One whose
 * parent is unknown is at the top.
 */
export function inTreeOrder<Item extends { id: string; parentId: string | null }>(
  items: readonly Item[],
  closed: ReadonlySet<string> = new Set(),
): TreeRow<Item>[] {
  const known = new Set(items.map(({ id }) => id));
  const children = Map.groupBy(items, ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : null,
  );
  const rows: TreeRow<Item>[] = [];
  const waiting = (children.get(null) ?? []).map((item) => ({ item, depth: 0 })).reverse();
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    const { item, depth } = row;
    const inside = children.get(item.id) ?? [];
    rows.push({ ...row, hasChildren: inside.length > 0 });
    if (closed.has(item.id)) continue;
    for (const child of inside.toReversed()) waiting.push({ item: child, depth: depth + 1 });
  }
  return rows;
}

/** The collections that contain this one, from the top down. */
export function ancestorsOf<Item extends { id: string; parentId: string | null }>(
  items: readonly Item[],
  id: string,
): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const path: Item[] = [];
  const parentOf = (item: Item | undefined) => (item?.parentId ? byId.get(item.parentId) : undefined);
  for (let parent = parentOf(byId.get(id)); parent && !path.includes(parent); parent = parentOf(parent)) {
    path.unshift(parent);
  }
  return path;
}
