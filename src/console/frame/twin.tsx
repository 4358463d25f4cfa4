// On every view of a read-only twin: that it is one, with a link to how far it has followed.

import type { Status } from "../../features/console/replies.ts";
import { may } from "../api/session.ts";
import { useRead } from "../parts/load.ts";

export function Twin() {
  return may("documents.read") ? <Note /> : null;
}

function Note() {
  const { value } = useRead<Status>("/console/api/status");
  if (!value?.follows) return null;
  return (
    <a class="indexing" href="/console/machines">
      Read-only twin of {value.follows.remote}
    </a>
  );
}
