// The filters of the table: the values of each column with how many documents have them.

import { useState } from "preact/hooks";
import type { Facet, TableSummary } from "../../../features/console/replies.ts";
import { here, setParameters } from "../../frame/location.ts";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { filterOf, TitleFilter } from "../../parts/record-list.tsx";
import { parseTags } from "../../text/format.ts";
import { nameOfAgent, SOURCES } from "./names.ts";

type FacetName = keyof TableSummary["facets"];

/** Stands for people in the address, because an empty parameter is none. */
const PEOPLE = "-";

const FACETS: readonly { name: FacetName; label: string; textOf(value: string): string }[] = [
  { name: "status", label: "Status", textOf: (status) => status.charAt(0).toUpperCase() + status.slice(1) },
  { name: "source", label: "Source", textOf: (source) => SOURCES[source] ?? source },
  { name: "agent", label: "Written by", textOf: (agent) => nameOfAgent(agent === PEOPLE ? "" : agent) },
  { name: "folder", label: "Folder", textOf: (folder) => folder.split("/").at(-1) || folder },
  { name: "tags", label: "Tags", textOf: (tag) => tag },
];
const PARAMETERS = [...FACETS.map(({ name }) => name), "title", "collection"];

/** The filters of the address, by the names of the API; "" for one that is not set. */
export function documentFilters() {
  const [title, tags, status, source, agent, folder, collectionId] = [
    "title",
    "tags",
    "status",
    "source",
    "agent",
    "folder",
    "collection",
  ].map(filterOf);
  return { title, tags, status, source, agent, folder, collectionId };
}

/** The number of filters that are set. */
const countFilters = () => PARAMETERS.filter((name) => filterOf(name) !== "").length;

interface FacetsProps {
  facets: TableSummary["facets"] | undefined;
}

export function Facets({ facets }: FacetsProps) {
  const count = countFilters();
  const [isOpen, setOpen] = useState(false);
  return (
    <search class={`facets ${isOpen ? "open" : ""}`} aria-label="Filters">
      <TitleFilter label="Title contains" />
      <button type="button" class="only-phone" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filters{count > 0 ? ` (${count})` : ""}
      </button>
      <div class="facet-lists">
        {count > 0 && (
          <button type="button" class="small" onClick={clear}>
            Clear {count === 1 ? "the filter" : `${count} filters`}
          </button>
        )}
        <CollectionSelect
          label="Collection"
          none="All"
          value={filterOf("collection")}
          onChange={(collection) => setParameters({ collection })}
        />
        {FACETS.map((facet) => (
          <FacetList key={facet.name} {...facet} values={facets?.[facet.name] ?? []} />
        ))}
      </div>
    </search>
  );
}

const clear = () => setParameters(Object.fromEntries(PARAMETERS.map((name) => [name, ""])));

const FIRST_VALUES = 7;

interface FacetListProps {
  name: FacetName;
  label: string;
  textOf(value: string): string;
  values: Facet;
}

/** The values of one facet, as switches. What is chosen is shown even if no document has it. */
function FacetList({ name, label, textOf, values }: FacetListProps) {
  const [isLong, setLong] = useState(false);
  const chosen = name === "tags" ? parseTags(filterOf(name)) : [filterOf(name)].filter(Boolean);
  const known = values.map(([value, count]) => ({ value: value === "" ? PEOPLE : value, count }));
  const isChosen = (value: string) => chosen.includes(value);
  const absent = chosen.filter(
    (one) => !known.some(({ value }) => value.toLowerCase() === one.toLowerCase()),
  );
  const all = [...absent.map((value) => ({ value, count: undefined })), ...known];
  // One value that nothing else is compared with filters nothing.
  if (all.length === 0 || (all.length === 1 && chosen.length === 0 && name !== "tags" && name !== "folder")) {
    return null;
  }
  const toggle = (value: string) => {
    const others = chosen.filter((one) => one !== value);
    const next = isChosen(value) ? others : name === "tags" ? [...others, value] : [value];
    setParameters({ [name]: next.join(",") });
  };
  const shown = all.filter(({ value }, index) => isLong || index < FIRST_VALUES || isChosen(value));
  return (
    <fieldset class="facet">
      <legend>{label}</legend>
      {shown.map(({ value, count }) => (
        <button
          key={value}
          type="button"
          class="facet-value"
          aria-pressed={isChosen(value)}
          title={value}
          onClick={() => toggle(value)}
        >
          <span dir="auto">{textOf(value)}</span>{" "}
          {count !== undefined && <small>{count.toLocaleString("en")}</small>}
        </button>
      ))}
      {all.length > shown.length && (
        <button type="button" class="facet-value quiet" onClick={() => setLong(true)}>
          {all.length - shown.length} more
        </button>
      )}
    </fieldset>
  );
}

/** Whether anything is filtered. */
export const isFiltered = () => here.value.search !== "" && countFilters() > 0;
