// Documents as dots; similar ones are near each other. Drawing a line around dots selects them, pressing one opens it.

import { useMemo, useRef, useState } from "preact/hooks";
import type { MapPoint } from "../../../features/console/replies.ts";
import { go } from "../../frame/location.ts";
import { plural } from "../../text/format.ts";
import type { Selection } from "../selection.tsx";
import { isInside, nearest, type Place } from "./lasso.ts";
import { useWidth } from "./picture.tsx";
import { linear } from "./scale.ts";

const RADIUS = 5;
const MARGIN = 14;
/** How far from a dot the pointer may be, pixels. */
const REACH = 14;
/** A shorter line is a press. */
const MIN_LINE = 6;
/** Between two places of a line. */
const STEP = 3;
const MAX_LINE_PLACES = 2_000;
const MAX_TITLE = 60;

const heightFor = (width: number) => Math.round(Math.min(580, Math.max(320, 0.6 * width)));

interface DocumentMapProps {
  points: readonly MapPoint[];
  /** The colour of each point. */
  colours: readonly string[];
  selection: Selection;
}

export function DocumentMapPicture({ points, colours, selection }: DocumentMapProps) {
  const [element, width] = useWidth<HTMLDivElement>();
  const height = heightFor(width);
  const [pointed, setPointed] = useState<number | undefined>();
  const [line, setLine] = useState<readonly Place[]>([]);
  const isDrawing = useRef(false);
  const places = useMemo(() => placesOf(points, width, height), [points, width, height]);
  // Thousands of dots need not be compared whenever the pointer moves.
  const dots = useMemo(
    () =>
      points.map(({ id }, index) => (
        <circle
          key={id}
          class={selection.ids.has(id) ? "dot-mark chosen" : "dot-mark"}
          cx={places[index]![0]}
          cy={places[index]![1]}
          r={RADIUS}
          fill={colours[index]}
        />
      )),
    [places, colours, selection],
  );

  const placeOf = (event: PointerEvent): Place => {
    const box = element.current!.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const move = (event: PointerEvent) => {
    const place = placeOf(event);
    if (!isDrawing.current) return setPointed(nearest(places, place, REACH));
    const last = line.at(-1);
    const isFar = !last || Math.hypot(last[0] - place[0], last[1] - place[1]) >= STEP;
    if (isFar && line.length < MAX_LINE_PLACES) setLine([...line, place]);
  };
  const stop = () => {
    isDrawing.current = false;
    setLine([]);
  };
  const end = (event: PointerEvent) => {
    if (!isDrawing.current) return;
    stop();
    if (lengthOf(line) < MIN_LINE) {
      const opened = nearest(places, placeOf(event), REACH);
      if (opened !== undefined) go(`/console/documents/${points[opened]!.id}`);
      return;
    }
    const inside = points.flatMap(({ id }, index) => (isInside(line, places[index]!) ? [id] : []));
    selection.select(event.shiftKey ? [...selection.ids, ...inside] : inside);
  };
  const shown = pointed === undefined ? undefined : points[pointed];
  return (
    <div
      ref={element}
      class="picture-plot map-plot"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        isDrawing.current = true;
        setPointed(undefined);
        setLine([placeOf(event)]);
      }}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={stop}
      onPointerLeave={() => setPointed(undefined)}
    >
      <svg
        role="img"
        aria-label={`A map of ${plural(points.length, "document")}`}
        width={width}
        height={height}
      >
        {dots}
        {line.length > 1 && <path class="lasso" d={`M${line.map((place) => place.join(" ")).join("L")}Z`} />}
        {shown && pointed !== undefined && (
          <Label title={shown.title} place={places[pointed]!} width={width} />
        )}
      </svg>
    </div>
  );
}

function Label({ title, place: [x, y], width }: { title: string; place: Place; width: number }) {
  const isLeft = x > width / 2;
  const text = title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE)}…` : title;
  return (
    <>
      <circle class="pointed-dot" cx={x} cy={y} r={RADIUS + 2} />
      <text
        class="halo map-label"
        x={isLeft ? x - 12 : x + 12}
        y={y + 4}
        text-anchor={isLeft ? "end" : "start"}
      >
        {text}
      </text>
    </>
  );
}

/** Where points are drawn: the plane is stretched to the size of the picture. */
function placesOf(points: readonly MapPoint[], width: number, height: number): Place[] {
  const extent = (values: readonly number[]): readonly [number, number] =>
    values.length === 0
      ? [0, 1]
      : [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const x = linear(extent(points.map((point) => point.x)), [MARGIN, width - MARGIN]);
  const y = linear(extent(points.map((point) => point.y)), [height - MARGIN, MARGIN]);
  return points.map((point) => [x(point.x), y(point.y)]);
}

const lengthOf = (line: readonly Place[]) =>
  line.reduce((sum, [x, y], index) => {
    const [beforeX, beforeY] = line[index - 1] ?? [x, y];
    return sum + Math.hypot(x - beforeX, y - beforeY);
  }, 0);
