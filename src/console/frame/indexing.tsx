// How many records are not indexed yet, on every view while there are any: until then, searches may not find them.

import { may } from "../api/session.ts";
import { useRead } from "../parts/load.ts";
import type { Status } from "../../features/console/replies.ts";

const GATHER_MS = 2_000;

export function Indexing() {
  return may("documents.read") || may("prompts.read") ? <Progress /> : null;
}

function Progress() {
  const { value } = useRead<Status>("/console/api/status", { concerns: () => true, gatherMs: GATHER_MS });
  if (!value || value.pending === 0) return null;
  return (
    <a class="indexing" href="/console/activity">
      Indexing {value.pending.toLocaleString("en")}
      {value.pendingSeconds !== undefined && <small> · {timeLeft(value.pendingSeconds)}</small>}
    </a>
  );
}

/** `20 s`, `3 min`, `2 h`. */
function timeLeft(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
