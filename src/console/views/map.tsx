// The view Map: documents by meaning, in the colours of their collections, authors or tags.

import { useMemo, useState } from "preact/hooks";
import type { DocumentMap, MapPoint } from "../../features/console/replies.ts";
import { may } from "../api/session.ts";
import { deletedIds } from "../frame/deletions.ts";
import { here, setParameters } from "../frame/location.ts";
import { colourOfName, nameOfAuthor } from "../parts/agent.tsx";
import { BulkActions } from "../parts/bulk-actions.tsx";
import { Choice, Tags } from "../parts/controls.tsx";
import { useRead } from "../parts/load.ts";
import { Empty, Page, Problem, Waiting } from "../parts/page.tsx";
import { DocumentMapPicture } from "../parts/pictures/document-map.tsx";
import { SelectBox, type Selection, SelectionBar, useSelection } from "../parts/selection.tsx";
import { plural } from "../text/format.ts";

const GROUPINGS = [
  ["collection", "Collection"],
  ["agent", "Agent"],
  ["tag", "Tag"],
] as const;
type Grouping = (typeof GROUPINGS)[number][0];

/** Groups with a colour; more colours cannot be told apart. */
const MAX_GROUPS = 8;
const ROWS = 100;
const OTHERS = "others";
/** Darker or paler than the colours, so that they stand out. */
const GREY = "color-mix(in srgb, var(--quiet) 55%, var(--page))";

/** The name of the group of a point; "" without one. */
function groupOf({ collection, agent, tags }: MapPoint, grouping: Grouping): string {
  if (grouping === "collection") return collection;
  if (grouping === "tag") return tags[0] ?? "";
  return agent === "" ? "" : nameOfAuthor({ agent });
}

const NONE: Record<Grouping, string> = { collection: "no collection", agent: "people", tag: "no tag" };

interface Group {
  name: string;
  colour: string;
  ids: string[];
}

/** The largest groups with a colour each, and one grey group of all other points. */
function groupsOf(points: readonly MapPoint[], grouping: Grouping): Group[] {
  const named = [...Map.groupBy(points, (point) => groupOf(point, grouping))].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const idsOf = (some: readonly MapPoint[]) => some.map(({ id }) => id);
  const coloured = named.filter(([name]) => name !== "").slice(0, MAX_GROUPS);
  const rest = named.filter(([name]) => name !== "").slice(MAX_GROUPS);
  const none = named.filter(([name]) => name === "");
  return [
    ...coloured.map(([name, some]) => ({ name, colour: colourOfName(name), ids: idsOf(some) })),
    ...(rest.length > 0
      ? [{ name: OTHERS, colour: GREY, ids: rest.flatMap(([, some]) => idsOf(some)) }]
      : []),
    ...none.map(([, some]) => ({ name: NONE[grouping], colour: GREY, ids: idsOf(some) })),
  ];
}

export function MapView() {
  const { value, problem, reload } = useRead<DocumentMap>("/console/api/map");
  const by = here.value.searchParams.get("by");
  const grouping: Grouping = by === "agent" || by === "tag" ? by : "collection";
  const deleted = deletedIds.value;
  const points = useMemo(() => (value?.points ?? []).filter(({ id }) => !deleted.has(id)), [value, deleted]);
  const groups = useMemo(() => groupsOf(points, grouping), [points, grouping]);
  const colours = useMemo(() => {
    const colourOf = new Map(groups.flatMap(({ ids, colour }) => ids.map((id) => [id, colour] as const)));
    return points.map(({ id }) => colourOf.get(id) ?? GREY);
  }, [points, groups]);
  const order = useMemo(() => points.map(({ id }) => id), [points]);
  const selection = useSelection(order);
  return (
    <Page
      title="Map"
      actions={
        <a class="button" href="/console/documents">
          Documents
        </a>
      }
    >
      <Problem text={problem} retry={reload} />
      {!value && problem === undefined && <Waiting what="Placing documents by what they mean" />}
      {value && points.length === 0 && (
        <Empty title="Nothing is indexed yet">
          <p>Documents appear here when they are indexed: similar ones are near each other.</p>
        </Empty>
      )}
      {points.length > 0 && value && (
        <>
          <p class="quiet">
            Similar documents are near each other. Press a dot to open it; draw a line around dots to select
            them.
            {points.length < value.total &&
              ` The newest ${points.length.toLocaleString("en")} of ${plural(value.total, "document")} that are indexed are shown.`}
          </p>
          <Choice
            label="Colours by"
            options={GROUPINGS}
            value={grouping}
            onChange={(next) => setParameters({ by: next === "collection" ? "" : next })}
          />
          <figure class="picture">
            <figcaption class="picture-key map-key">
              {groups.map(({ name, colour, ids }) => (
                <button type="button" class="small" key={name} onClick={() => selection.select(ids)}>
                  <span>
                    <span class="author-mark" aria-hidden="true" style={{ background: colour }} />
                    {name}
                  </span>{" "}
                  <b>{ids.length.toLocaleString("en")}</b>
                </button>
              ))}
            </figcaption>
            <DocumentMapPicture points={points} colours={colours} selection={selection} />
            <MapTable points={points} selection={selection} />
          </figure>
          <SelectionBar selection={selection} noun="document" order={order} hasMore={false}>
            {may("documents.write") && <BulkActions type="document" selection={selection} />}
          </SelectionBar>
        </>
      )}
    </Page>
  );
}

/** The same documents as rows with boxes: for the keyboard, and for those who would rather read. */
function MapTable({ points, selection }: { points: readonly MapPoint[]; selection: Selection }) {
  const [isOpen, setOpen] = useState(false);
  const [count, setCount] = useState(ROWS);
  return (
    <details class="map-table" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <>
          <div class="table">
            <table>
              <caption class="hidden">Documents of the map</caption>
              <thead>
                <tr>
                  <td />
                  {["Title", "Collection", "Agent", "Tags"].map((name) => (
                    <th scope="col" key={name}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {points.slice(0, count).map((point) => (
                  <tr key={point.id}>
                    <td>
                      <SelectBox selection={selection} id={point.id} title={point.title} />
                    </td>
                    <td>
                      <a href={`/console/documents/${point.id}`} dir="auto">
                        {point.title}
                      </a>
                    </td>
                    <td dir="auto">{point.collection}</td>
                    <td>{groupOf(point, "agent")}</td>
                    <td>
                      <Tags tags={point.tags} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {count < points.length && (
            <button type="button" onClick={() => setCount(count + ROWS)}>
              More documents
            </button>
          )}
        </>
      )}
    </details>
  );
}
