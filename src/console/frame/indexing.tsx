// How many records are not indexed yet, on every view while there are any: until then, searches may not find them.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { may } from "../api/session.ts";
import { useRead } from "../parts/load.ts";
import type { Status } from "../../features/console/replies.ts";
import { now } from "../text/format.ts";
import { advance, type Progress, rateOf, timeLeft } from "../text/progress.ts";

const GATHER_MS = 2_000;
/** A rate that is older says nothing: indexing has stopped. */
const MAX_AGE_MS = 60_000;

interface Indexed {
  progress: Progress;
  /** Records in a second, and for how long the rest takes in words; undefined while unknown. */
  rate: number | undefined;
  left: string | undefined;
}

/** What is being indexed; undefined while nothing is. */
const indexed = signal<Indexed | undefined>(undefined);

function note({ pending, pendingSeconds, embedder }: Status): void {
  const progress = advance(indexed.value?.progress, { at: now(), left: pending });
  if (!progress || embedder.state === "degraded") {
    indexed.value = progress && { progress, rate: undefined, left: undefined };
    return;
  }
  const rate = rateOf(progress);
  // Until records were indexed while the page is shown, the server's estimate from the length of the texts.
  const seconds = rate === undefined ? pendingSeconds : pending / rate;
  indexed.value = { progress, rate, left: seconds === undefined ? undefined : timeLeft(seconds) };
}

/** In the navigation. */
export function Indexing() {
  return may("documents.read") || may("prompts.read") ? <InNavigation /> : null;
}

function InNavigation() {
  const { value } = useRead<Status>("/console/api/status", { concerns: () => true, gatherMs: GATHER_MS });
  useEffect(() => {
    if (!value) return;
    note(value);
    const timer = setTimeout(() => {
      const last = indexed.value;
      if (last) indexed.value = { ...last, rate: undefined, left: undefined };
    }, MAX_AGE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  if (!indexed.value) return null;
  const { progress, left } = indexed.value;
  return (
    <a class="indexing" href="/console/activity">
      Indexing: {(progress.total - progress.done).toLocaleString("en")} left
      <Bar progress={progress} />
      {left !== undefined && <small>{left}</small>}
    </a>
  );
}

const Bar = ({ progress: { done, total } }: { progress: Progress }) => (
  <progress aria-label="Indexed" max={total} value={done} />
);

/** On the view Activity, with the rate. */
export function IndexingDetails() {
  if (!indexed.value) return null;
  const { progress, rate, left } = indexed.value;
  const facts = [
    `${progress.done.toLocaleString("en")} of ${progress.total.toLocaleString("en")} records are indexed`,
    rate !== undefined && rateText(rate),
    left,
  ];
  return (
    <div class="indexing-details">
      <Bar progress={progress} />
      <p>{facts.filter(Boolean).join(" · ")}</p>
    </div>
  );
}

const rateText = (rate: number) =>
  rate >= 1
    ? `${rate.toFixed(rate < 10 ? 1 : 0)} a second`
    : `${Math.max(1, Math.round(60 * rate))} a minute`;

/** ` · about 4 minutes left`; nothing while that is unknown. */
export const indexingLeft = () => (indexed.value?.left === undefined ? "" : ` · ${indexed.value.left}`);
