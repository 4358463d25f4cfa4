// A choice of one collection, in the order of the tree.

import { may } from "../api/session.ts";
import type { TreeCollection } from "../../features/console/replies.ts";
import { inTreeOrder } from "../text/tree.ts";
import { Field } from "./controls.tsx";
import { changesOf, useRead } from "./load.ts";

interface CollectionSelectProps {
  label: string;
  /** The id, or "" for none. */
  value: string;
  /** What the choice of none is called. */
  none: string;
  onChange(id: string): void;
}

/** Not for keys that may not read collections. */
export function CollectionSelect(props: CollectionSelectProps) {
  return may("documents.read") ? <Select {...props} /> : null;
}

function Select({ label, value, none, onChange }: CollectionSelectProps) {
  const tree = useRead<TreeCollection[]>("/console/api/collections", { concerns: changesOf(["collection"]) });
  const collections = tree.value ?? [];
  return (
    <Field label={label}>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{none}</option>
        <TreeOptions tree={collections} />
        {value !== "" && !collections.some(({ id }) => id === value) && <option value={value}>…</option>}
      </select>
    </Field>
  );
}

/** The options of a choice of collections, indented by their depth. */
export function TreeOptions({ tree }: { tree: readonly TreeCollection[] }) {
  return (
    <>
      {inTreeOrder(tree).map(({ item, depth }) => (
        <option key={item.id} value={item.id}>
          {"\u2003".repeat(depth)}
          {item.icon ? `${item.icon} ` : ""}
          {item.name}
        </option>
      ))}
    </>
  );
}
