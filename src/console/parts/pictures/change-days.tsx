// How many changes each agent and person has made on each day, as bars. Dragging over days, or the two date fields,
// chooses the days whose changes are listed.

import { useRef, useState } from "preact/hooks";
import type { ChangeDays } from "../../../features/console/replies.ts";
import { setParameters } from "../../frame/location.ts";
import { type DayRange, dayOf, dayStarts, rangeOf, rangeText, shortDay } from "../../text/days.ts";
import { now, plural } from "../../text/format.ts";
import { Author, colourOfAuthor, nameOfAuthor } from "../agent.tsx";
import { Field } from "../controls.tsx";
import { useRead } from "../load.ts";
import { Problem } from "../page.tsx";
import { PictureTable, useWidth } from "./picture.tsx";
import { linear, ticks, topOf } from "./scale.ts";

const DAYS = 90;
/** The heights of the bars and of the line of dates below them, pixels. */
const HEIGHT = 132;
const DATES = 20;
/** Above the highest bar, for the number of its line. */
const TOP = 14;
/** Counting reads many rows. */
const GATHER_MS = 3_000;
/** The least distance between two dates, pixels. */
const DATE_WIDTH = 64;
/** The least distance between two numbers above bars, pixels. */
const NUMBER_WIDTH = 40;

/** What happens to records without a new version. */
const WITHOUT_VERSION = new Set(["index", "lease", "read"]);

const OTHERS = "others";

interface Day {
  name: string;
  start: number;
  total: number;
  /** The number of changes of each author, by position. */
  counts: number[];
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

function daysOf({ authors, counts }: ChangeDays, starts: readonly number[]): Day[] {
  const days = starts.slice(0, -1).map((start) => {
    return { name: dayOf(start), start, total: 0, counts: authors.map(() => 0) };
  });
  for (const { day, author, written, changed } of counts) {
    const counted = days[day];
    if (!counted) continue;
    counted.counts[author] = written + changed;
    counted.total += written + changed;
  }
  return days;
}

const choose = (range: DayRange | undefined) =>
  setParameters({ from: range?.first ?? "", to: range?.last ?? "" });

/** `range`: the chosen days. */
export function ChangeDaysPicture({ range }: { range: DayRange | undefined }) {
  const starts = dayStarts(DAYS, now());
  const { value, problem, reload } = useRead<ChangeDays>(
    `/console/api/changes/days?starts=${starts.join(",")}`,
    { concerns: ({ action }) => !WITHOUT_VERSION.has(action), gatherMs: GATHER_MS },
  );
  const [pointed, setPointed] = useState<DayRange | undefined>();
  if (!value) return <Problem text={problem} retry={reload} />;
  const days = daysOf(value, starts);
  const described = pointed ?? range;
  const isDescribed = ({ name }: Day) => !described || (name >= described.first && name <= described.last);
  const shown = days.filter(isDescribed);
  return (
    <figure class="picture">
      <figcaption class="picture-key">
        <b>{described ? rangeText(described) : `${DAYS} days`}</b>
        {value.authors.map((author, position) => (
          <span key={author === null ? OTHERS : nameOfAuthor(author)}>
            {author === null ? OTHERS : <Author {...author} />}{" "}
            <b>{sumOf(shown.map(({ counts }) => counts[position]!)).toLocaleString("en")}</b>
          </span>
        ))}
        {!value.isComplete && <span class="quiet">Only the latest changes are counted.</span>}
      </figcaption>
      <Bars days={days} authors={value.authors} range={range} onPoint={setPointed} />
      <div class="picture-range">
        <Field label="From">
          <input
            type="date"
            value={range?.first ?? ""}
            max={dayOf(now())}
            onChange={({ currentTarget: { value: day } }) => choose(rangeOf(day, range?.last ?? ""))}
          />
        </Field>
        <Field label="To">
          <input
            type="date"
            value={range?.last ?? ""}
            max={dayOf(now())}
            onChange={({ currentTarget: { value: day } }) => choose(rangeOf(range?.first ?? "", day))}
          />
        </Field>
        {range && (
          <button type="button" onClick={() => choose(undefined)}>
            All days
          </button>
        )}
      </div>
      <Table days={days} value={value} />
    </figure>
  );
}

interface BarsProps {
  days: readonly Day[];
  authors: ChangeDays["authors"];
  range: DayRange | undefined;
  /** The days under the pointer. */
  onPoint(range: DayRange | undefined): void;
}

function Bars({ days, authors, range, onPoint }: BarsProps) {
  const [element, width] = useWidth<HTMLDivElement>();
  /** The day on which dragging has begun, and the one that was reached. */
  const [drag, setDrag] = useState<readonly [number, number] | undefined>();
  const [hovered, setHovered] = useState<number | undefined>();
  const begun = useRef<number | undefined>(undefined);

  const x = linear([0, days.length], [0, width]);
  const top = topOf(days.map(({ total }) => total));
  const lines = ticks(top);
  const y = linear([0, top], [TOP + HEIGHT, TOP]);
  const gap = x(1) > 8 ? 2 : 1;
  const left = (day: number) => Math.round(x(day));

  const between = ([a, b]: readonly [number, number]) => rangeOf(days[a]!.name, days[b]!.name);
  const shown = drag ? between(drag) : range;
  const isShown = ({ name }: Day) => !shown || (name >= shown.first && name <= shown.last);

  const dayAt = (event: PointerEvent) => {
    const box = element.current!.getBoundingClientRect();
    const day = Math.floor(((event.clientX - box.left) / box.width) * days.length);
    return Math.min(days.length - 1, Math.max(0, day));
  };
  const point = (event: PointerEvent) => {
    const day = dayAt(event);
    setHovered(day);
    if (begun.current === undefined) return onPoint(between([day, day]));
    setDrag([begun.current, day]);
    onPoint(between([begun.current, day]));
  };
  const leave = () => {
    begun.current = undefined;
    setDrag(undefined);
    setHovered(undefined);
    onPoint(undefined);
  };
  const end = (event: PointerEvent) => {
    if (begun.current === undefined) return;
    const chosen = between([begun.current, dayAt(event)]);
    const isAgain = chosen?.first === range?.first && chosen?.last === range?.last;
    begun.current = undefined;
    setDrag(undefined);
    choose(isAgain ? undefined : chosen);
  };

  const busiest = days.reduce((best, day) => (day.total > best.total ? day : best), days[0]!);
  const total = sumOf(days.map((day) => day.total));
  const label =
    `${plural(total, "change")} from ${shortDay(days[0]!.start)} to ${shortDay(days.at(-1)!.start)}` +
    (total === 0 ? "" : `, most on ${shortDay(busiest.start)}: ${busiest.total}`);
  return (
    <div
      ref={element}
      class="picture-plot"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        begun.current = dayAt(event);
        event.currentTarget.setPointerCapture(event.pointerId);
        point(event);
      }}
      onPointerMove={point}
      onPointerUp={end}
      onPointerCancel={leave}
      onPointerLeave={leave}
    >
      <svg role="img" aria-label={label} width={width} height={TOP + HEIGHT + DATES}>
        {shown && <Band days={days} range={shown} left={left} />}
        {hovered !== undefined && (
          <rect
            class="pointed"
            x={left(hovered)}
            width={left(hovered + 1) - left(hovered)}
            y={0}
            height={TOP + HEIGHT}
          />
        )}
        {lines.map((line) => (
          <line class="grid" key={line} x2={width} y1={y(line)} y2={y(line)} />
        ))}
        {days.map((day, at) => (
          <g key={day.name} class={isShown(day) ? undefined : "faded"}>
            {stacked(day.counts, top).map(({ from, to, author }) => (
              <rect
                key={author}
                x={left(at)}
                width={Math.max(1, left(at + 1) - left(at) - gap)}
                y={y(to)}
                height={Math.max(1, y(from) - y(to) - (y(from) - y(to) > 3 && from > 0 ? 1 : 0))}
                fill={colourOf(authors[author]!)}
              />
            ))}
          </g>
        ))}
        {cutOff(days, top).map((at) => (
          <path
            key={at}
            class="gap"
            d={`M${left(at) - 1} ${TOP + 10} L${left(at + 1) - gap + 1} ${TOP + 6}`}
          />
        ))}
        {highestOf(cutOff(days, top), days, Math.ceil(NUMBER_WIDTH / x(1))).map((at) => (
          <text
            class="halo"
            key={at}
            x={(left(at) + left(at + 1) - gap) / 2}
            y={TOP - 4}
            text-anchor="middle"
          >
            {days[at]!.total.toLocaleString("en")}
          </text>
        ))}
        <line class="axis" x2={width} y1={TOP + HEIGHT} y2={TOP + HEIGHT} />
        {lines.map((line) => (
          <text class="halo" key={line} y={y(line) - 3}>
            {line.toLocaleString("en")}
          </text>
        ))}
        {datesOf(days, x).map(({ at, text, isLast }) => (
          <text
            key={at}
            x={isLast ? width : left(at)}
            y={TOP + HEIGHT + 15}
            text-anchor={isLast ? "end" : "start"}
          >
            {text}
          </text>
        ))}
      </svg>
    </div>
  );
}

function Band({ days, range, left }: { days: readonly Day[]; range: DayRange; left(day: number): number }) {
  const first = days.findIndex(({ name }) => name >= range.first);
  const last = days.findLastIndex(({ name }) => name <= range.last);
  if (first < 0 || last < first) return null;
  return (
    <rect class="band" x={left(first)} width={left(last + 1) - left(first)} y={0} height={TOP + HEIGHT} />
  );
}

/** The bars that are higher than the scale, which have a gap. */
const cutOff = (days: readonly Day[], top: number) =>
  days.flatMap(({ total }, at) => (total > top ? [at] : []));

/** Of positions, those without a higher bar nearby, so that there is room for their numbers. */
const highestOf = (positions: readonly number[], days: readonly Day[], nearby: number) =>
  positions.filter((at) =>
    positions.every(
      (other) =>
        other === at ||
        Math.abs(other - at) > nearby ||
        days[other]!.total < days[at]!.total ||
        (days[other]!.total === days[at]!.total && other > at),
    ),
  );

const colourOf = (author: ChangeDays["authors"][number]) =>
  author === null ? "var(--quiet)" : colourOfAuthor(author);

/** The parts of a bar from the bottom, without empty ones; of a bar that is cut off, with the same proportions. */
function stacked(counts: readonly number[], top: number): { author: number; from: number; to: number }[] {
  const factor = Math.min(1, top / Math.max(1, sumOf(counts)));
  let from = 0;
  return counts.flatMap((count, author) => {
    const part = { author, from, to: from + factor * count };
    from = part.to;
    return count === 0 ? [] : [part];
  });
}

/** The first days of the months and today, as far as there is room. */
function datesOf(days: readonly Day[], x: (day: number) => number) {
  const today = { at: days.length - 1, text: "today", isLast: true };
  const firsts = days.flatMap(({ start, name }, at) =>
    name.endsWith("-01") && x(days.length - at) > 1.5 * DATE_WIDTH
      ? [{ at, text: shortDay(start), isLast: false }]
      : [],
  );
  return [
    ...firsts.filter(({ at }, index) => index === 0 || x(at - firsts[index - 1]!.at) > DATE_WIDTH),
    today,
  ];
}

function Table({ days, value: { authors, counts } }: { days: readonly Day[]; value: ChangeDays }) {
  const latestFirst = counts.toSorted((a, b) => b.day - a.day || a.author - b.author);
  return (
    <PictureTable
      caption="Changes by day"
      columns={["Day", "Who", "Written", "Changed"]}
      texts={2}
      rows={latestFirst.map(({ day, author, written, changed }) => {
        const name = days[day]?.name ?? "";
        const who = authors[author];
        return {
          key: `${day} ${author}`,
          cells: [
            name === "" ? "" : rangeText({ first: name, last: name }),
            who ? <Author {...who} /> : OTHERS,
            written === 0 ? "" : written.toLocaleString("en"),
            changed === 0 ? "" : changed.toLocaleString("en"),
          ],
        };
      })}
    />
  );
}
