// The list of a view: all records that the filters of the address leave, with what to say when there are none.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { may } from "../api/session.ts";
import type { Scope } from "../../auth/scopes.ts";
import { deletedIds } from "../frame/deletions.ts";
import { here, setParameters } from "../frame/location.ts";
import { parseTags } from "../text/format.ts";
import { BulkActions } from "./bulk-actions.tsx";
import { Field } from "./controls.tsx";
import { changesOf, usePages } from "./load.ts";
import { Empty, Page, Problem, Waiting } from "./page.tsx";
import { SelectBox, SelectionBar, useSelection } from "./selection.tsx";
import { TagsInput } from "./tags-input.tsx";
import { WindowedList } from "./windowed-list.tsx";

interface RecordListProps<Item> {
  title: "Documents" | "Prompts";
  /** The address of the view. */
  href: string;
  /** The list in the API, and its filters; one that is "" is not set. */
  path: string;
  filters: Record<string, string>;
  /** A link to a form for a new record, for those who may write. */
  add: { href: string; label: string; scope: Scope };
  /** The controls of the filters. */
  children: ComponentChildren;
  /** What to do first if nothing is stored. */
  first: ComponentChildren;
  /** The height of every row, pixels. */
  rowHeight: number;
  row(item: Item): ComponentChildren;
}

const PAGE = 100;
const TYPING_MS = 150;

export function RecordList<Item extends { id: string; title: string }>({
  title,
  path,
  filters,
  ...props
}: RecordListProps<Item>) {
  const { href, add, children, first, rowHeight, row } = props;
  const type = title === "Documents" ? "document" : "prompt";
  const list = usePages<Item>(
    path,
    { limit: PAGE, ...filters },
    { concerns: changesOf([type, "collection"]) },
  );
  const items = list.items.filter(({ id }) => !deletedIds.value.has(id));
  const order = items.map(({ id }) => id);
  const selection = useSelection(order);
  const isFiltered = Object.values(filters).some((value) => value !== "");
  const nouns = title.toLowerCase();
  return (
    <Page
      title={title}
      actions={
        may(add.scope) && (
          <a class="button" href={add.href}>
            {add.label}
          </a>
        )
      }
    >
      <search class="fields">{children}</search>
      <Problem text={list.problem} retry={list.reload} />
      {items.length === 0 && list.isLoading && <Waiting />}
      {items.length === 0 && !list.isLoading && list.problem === undefined && (
        <Empty title={isFiltered ? `No ${nouns} match` : `No ${nouns} yet`}>
          <p>{isFiltered ? <a href={href}>Show all {nouns}</a> : first}</p>
        </Empty>
      )}
      <WindowedList
        label={title}
        items={items}
        keyOf={({ id }) => id}
        rowHeight={rowHeight}
        hasMore={list.hasMore}
        loadMore={list.loadMore}
        row={(item) =>
          may(add.scope) ? (
            <div class="selectable">
              <SelectBox selection={selection} id={item.id} title={item.title} />
              {row(item)}
            </div>
          ) : (
            row(item)
          )
        }
      />
      <SelectionBar selection={selection} noun={type} order={order} hasMore={list.hasMore}>
        <BulkActions type={type} selection={selection} />
      </SelectionBar>
    </Page>
  );
}

/** The text of a parameter of the address; "" without it. */
export const filterOf = (name: string) => here.value.searchParams.get(name) ?? "";

/** Filters by words of the title, while typing. */
export function TitleFilter({ label }: { label: string }) {
  const wanted = filterOf("title");
  const [typed, setTyped] = useState(wanted);
  useEffect(() => setTyped(wanted), [wanted]);
  // One request for letters that follow each other at once.
  useEffect(() => {
    if (typed === wanted) return;
    const timer = setTimeout(() => setParameters({ title: typed }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Field label={label}>
      <input type="search" value={typed} onInput={({ currentTarget: { value } }) => setTyped(value)} />
    </Field>
  );
}

/** Filters by tags. */
export function TagsFilter() {
  return (
    <Field label="Tags" hint="All of them, separated by commas">
      <TagsInput
        value={filterOf("tags")}
        when="change"
        onChange={(tags) => setParameters({ tags: parseTags(tags).join(",") })}
      />
    </Field>
  );
}
