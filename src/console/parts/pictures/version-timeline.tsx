// The versions of a record on an axis of time: a line for each author, and a dot for each version, which is as large as
// the version changed much. Pressing a dot shows the version; so do the arrow keys with Enter.

import { useState } from "preact/hooks";
import type { VersionSize } from "../../../features/console/replies.ts";
import { here, setParameters } from "../../frame/location.ts";
import { calendarTicks } from "../../text/days.ts";
import { dateTime, plural } from "../../text/format.ts";
import { Author, colourOfAuthor, nameOfAuthor } from "../agent.tsx";
import { changesOf, useRead } from "../load.ts";
import { PictureTable, useWidth } from "./picture.tsx";
import { linear } from "./scale.ts";

/** The height of an author's line and of the dates below, pixels. */
const LANE = 26;
const DATES = 20;
const MIN_RADIUS = 3;
const MAX_RADIUS = 11;
const MAX_LANES = 6;
/** The least distance between two dates, pixels. */
const DATE_WIDTH = 72;

/** The area grows with the number of changed lines. */
const radiusOf = ({ added, removed }: VersionSize) =>
  Math.min(MAX_RADIUS, MIN_RADIUS + 0.8 * Math.sqrt((added ?? 0) + (removed ?? 0)));

const linesText = ({ added, removed }: VersionSize) =>
  added === null || removed === null
    ? "too long to be compared"
    : `${plural(added, "line")} added, ${removed.toLocaleString("en")} removed`;

interface Lane {
  /** Null for all authors without a line of their own. */
  author: VersionSize | null;
  versions: VersionSize[];
}

/** The authors with the most versions; the others share a line. */
function lanesOf(versions: readonly VersionSize[]): Lane[] {
  const byAuthor = [...Map.groupBy(versions, nameOfAuthor).values()].sort((a, b) => b.length - a.length);
  const own = byAuthor.slice(0, byAuthor.length > MAX_LANES ? MAX_LANES - 1 : MAX_LANES);
  const rest = byAuthor.slice(own.length).flat();
  const lanes: Lane[] = own.map((ofAuthor) => ({ author: ofAuthor[0]!, versions: ofAuthor }));
  return rest.length > 0 ? [...lanes, { author: null, versions: rest }] : lanes;
}

const show = (version: number) => setParameters({ version: String(version), against: "" });

export interface TimelineProps {
  type: "document" | "prompt";
  id: string;
  /** The number of the version that is shown. */
  selected: number;
}

export function VersionTimeline({ type, id, selected }: TimelineProps) {
  const { value } = useRead<VersionSize[]>(`/console/api/records/${id}/versions`, {
    concerns: changesOf([type], id),
  });
  if (!value || value.length < 2) return null;
  return (
    <figure class="picture">
      <Dots versions={value} selected={selected} />
      <Table versions={value} />
    </figure>
  );
}

function Dots({ versions, selected }: { versions: readonly VersionSize[]; selected: number }) {
  const [element, width] = useWidth<HTMLDivElement>();
  const [pointed, setPointed] = useState<number | undefined>();
  const lanes = lanesOf(versions);
  const height = lanes.length * LANE;
  const [first, last] = [versions.at(-1)!.createdAt, versions[0]!.createdAt];
  const x = linear([first, last], [MAX_RADIUS + 2, Math.max(MAX_RADIUS + 2, width - MAX_RADIUS - 2)]);
  /** Small dots are above large ones, and the chosen one is above all. */
  const orderOf = (version: VersionSize) =>
    version.version === (pointed ?? selected) ? 0 : -radiusOf(version);
  const dots = lanes
    .flatMap(({ versions: own }, lane) => own.map((version) => ({ version, lane })))
    .sort((a, b) => orderOf(a.version) - orderOf(b.version));
  const described = versions.find(({ version }) => version === (pointed ?? selected));

  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: 1, ArrowDown: 1, ArrowRight: -1, ArrowUp: -1 };
    const at = versions.findIndex(({ version }) => version === (pointed ?? selected));
    const step = steps[event.key];
    const next =
      event.key === "Home" ? versions.at(-1) : event.key === "End" ? versions[0] : versions[at + (step ?? 0)];
    if (event.key === "Enter" && pointed !== undefined) show(pointed);
    else if (step === undefined && event.key !== "Home" && event.key !== "End") return;
    else if (next) setPointed(next.version);
    event.preventDefault();
  };
  return (
    <>
      <figcaption class="picture-key">
        {described ? (
          <>
            <b>Version {described.version}</b>
            <Author {...described} />
            <span class="quiet">
              {dateTime(described.createdAt)} · {linesText(described)}
            </span>
          </>
        ) : (
          <b>{plural(versions.length, "version")}</b>
        )}
      </figcaption>
      <div class="lanes">
        <ul class="plain" aria-hidden="true">
          {lanes.map(({ author }) => (
            <li key={author ? nameOfAuthor(author) : ""}>{author ? <Author {...author} /> : "others"}</li>
          ))}
        </ul>
        <div
          ref={element}
          role="slider"
          tabIndex={0}
          aria-label="Version by time; Enter shows it"
          aria-valuemin={versions.at(-1)!.version}
          aria-valuemax={versions[0]!.version}
          aria-valuenow={described?.version ?? selected}
          aria-valuetext={
            described &&
            `Version ${described.version}, ${nameOfAuthor(described)}, ${dateTime(described.createdAt)}, ${linesText(described)}`
          }
          onKeyDown={move}
          onBlur={() => setPointed(undefined)}
          onPointerLeave={() => setPointed(undefined)}
        >
          <svg aria-hidden="true" width={width} height={height + DATES}>
            {lanes.map(({ author }, lane) => (
              <line
                class="grid"
                key={author ? nameOfAuthor(author) : ""}
                x2={width}
                y1={(lane + 0.5) * LANE}
                y2={(lane + 0.5) * LANE}
              />
            ))}
            {dots.map(({ version, lane }) => (
              // biome-ignore lint/a11y/noStaticElementInteractions: the slider has the keys
              <circle
                key={version.version}
                class={version.version === (pointed ?? selected) ? "dot-mark chosen" : "dot-mark"}
                cx={x(version.createdAt)}
                cy={(lane + 0.5) * LANE}
                r={radiusOf(version)}
                fill={lanes[lane]!.author ? colourOfAuthor(version) : "var(--quiet)"}
                onPointerEnter={() => setPointed(version.version)}
                onClick={() => show(version.version)}
              />
            ))}
            {calendarTicks(first, last, Math.floor(width / DATE_WIDTH)).map(({ at, text }) => (
              <text key={at} x={x(at)} y={height + 15} text-anchor="middle">
                {text}
              </text>
            ))}
          </svg>
        </div>
      </div>
    </>
  );
}

function Table({ versions }: { versions: readonly VersionSize[] }) {
  const number = (lines: number | null) => (lines === null ? "?" : lines.toLocaleString("en"));
  return (
    <PictureTable
      caption="Versions and how much they changed"
      columns={["Version", "Who", "When", "Lines added", "Lines removed"]}
      texts={3}
      rows={versions.map((version) => ({
        key: String(version.version),
        cells: [
          <a href={`${here.value.pathname}?version=${version.version}`} key="link">
            {version.version}
          </a>,
          <Author key="author" {...version} />,
          dateTime(version.createdAt),
          number(version.added),
          number(version.removed),
        ],
      }))}
    />
  );
}
