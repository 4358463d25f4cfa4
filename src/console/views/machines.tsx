// The view Machines: the other servers of push, pull and sync, their last runs, and the records that were changed on
// both sides, side by side. Commands on the machine of the server do everything else.

import type { Remote, RemoteConflict, Status } from "../../features/console/replies.ts";
import { Time } from "../parts/controls.tsx";
import { DiffView } from "../parts/diff-view.tsx";
import { useRead } from "../parts/load.ts";
import { Empty, Page, Problem, Waiting } from "../parts/page.tsx";
import { plural } from "../text/format.ts";

/** A run changes many records. */
const LIVE = { concerns: () => true, gatherMs: 2_000 };

export function MachinesView() {
  const remotes = useRead<Remote[]>("/console/api/remotes", LIVE);
  const status = useRead<Status>("/console/api/status", LIVE);
  const follows = status.value?.follows;
  return (
    <Page title="Machines">
      <Problem text={remotes.problem} retry={remotes.reload} />
      {follows && <Twin follows={follows} />}
      {!remotes.value && remotes.isLoading && <Waiting />}
      {remotes.value?.length === 0 && (
        <Empty title="No other machine">
          <p>
            <code>ctxrepo remote add NAME URL --key-env VARIABLE</code> names another server;{" "}
            <code>ctxrepo sync NAME</code> exchanges records with it.
          </p>
        </Empty>
      )}
      {remotes.value?.map((remote) => (
        <RemoteSection key={remote.id} remote={remote} />
      ))}
    </Page>
  );
}

/** What a read-only twin says of itself. */
function Twin({ follows: { remote, pulledAt, hasFailed } }: { follows: NonNullable<Status["follows"]> }) {
  return (
    <p class="box">
      This server is a read-only twin of <b>{remote}</b>,{" "}
      {pulledAt === null ? (
        "which it has not pulled yet"
      ) : (
        <>
          pulled <Time at={pulledAt} />
        </>
      )}
      . {hasFailed && "The last pull has failed: the log of the server says why."}
    </p>
  );
}

const COUNTED = ["created", "updated", "merged", "archived", "deleted", "conflict", "failed", "unchanged"];

/** `3 created, 1 merged`, or why the run has ended early. */
function resultOf({ result }: Remote): string {
  if (!result) return "";
  if (typeof result.failure === "string") return `ended early: ${result.failure}`;
  const parts = COUNTED.flatMap((name) => {
    const count = Number(result[name] ?? 0);
    return count > 0 ? [`${count.toLocaleString("en")} ${name}`] : [];
  });
  return `${String(result.direction ?? "")}: ${parts.join(", ") || "nothing to do"}`;
}

function RemoteSection({ remote }: { remote: Remote }) {
  const { name, url, syncedAt, links, conflicts } = remote;
  return (
    <section>
      <h2>{name}</h2>
      <dl class="numbers">
        <div>
          <dt>Address</dt>
          <dd>{url}</dd>
        </div>
        <div>
          <dt>Last run</dt>
          <dd>{syncedAt === null ? "never" : <Time at={syncedAt} />}</dd>
        </div>
        <div>
          <dt>Records on both sides</dt>
          <dd>{links.toLocaleString("en")}</dd>
        </div>
        <div>
          <dt>Conflicts</dt>
          <dd>{conflicts.toLocaleString("en")}</dd>
        </div>
      </dl>
      {syncedAt !== null && <p class="quiet">{resultOf(remote)}</p>}
      {conflicts > 0 && <Conflicts remote={remote} />}
    </section>
  );
}

function Conflicts({ remote: { name, conflicts: count } }: { remote: Remote }) {
  const path = `/console/api/remotes/conflicts?name=${encodeURIComponent(name)}`;
  const conflicts = useRead<RemoteConflict[]>(path, LIVE);
  const shown = conflicts.value ?? [];
  return (
    <>
      <p>
        {plural(count, "record")} changed on both sides. Edit one side to match the other, or let one side win
        everywhere: <code>ctxrepo sync {name} --ours</code> or <code>--theirs</code>.
      </p>
      <Problem text={conflicts.problem} retry={conflicts.reload} />
      {shown.map((conflict) => (
        <Conflict key={conflict.id} conflict={conflict} remote={name} />
      ))}
      {count > shown.length && shown.length > 0 && (
        <p class="quiet">{plural(count - shown.length, "more conflict")}</p>
      )}
    </>
  );
}

type Fields = Record<string, unknown>;

/** A value of a field as text, as the other side's values are stored. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value, null, 2);

interface Stored {
  title?: string;
  fields?: string[];
  /** The values on the other side. */
  other?: Fields;
  /** The side on which the record was deleted. */
  gone?: "own" | "other";
}

function Conflict({
  conflict: { kind, ownId, conflict },
  remote,
}: {
  conflict: RemoteConflict;
  remote: string;
}) {
  const { title = "", fields = [], other, gone } = (conflict ?? {}) as Stored;
  const name = title || "Untitled";
  return (
    <article>
      <h3 dir="auto">{gone === "own" ? name : <a href={`/console/${kind}s/${ownId}`}>{name}</a>}</h3>
      {gone && (
        <p>
          Deleted {gone === "own" ? "here" : `on ${remote}`}, and changed{" "}
          {gone === "own" ? `on ${remote}` : "here"}.
        </p>
      )}
      {other && <Sides path={`/v1/${kind}s/${ownId}`} fields={fields} other={other} remote={remote} />}
    </article>
  );
}

interface SidesProps {
  /** The path of the record here. */
  path: string;
  fields: readonly string[];
  other: Fields;
  remote: string;
}

function Sides({ path, fields, other, remote }: SidesProps) {
  const own = useRead<Fields>(path, LIVE);
  return (
    <>
      <Problem text={own.problem} retry={own.reload} />
      {own.value &&
        fields.map((field) => (
          <Field
            key={field}
            name={field}
            sides={[textOf(own.value?.[field]), textOf(other[field])]}
            remote={remote}
          />
        ))}
    </>
  );
}

/** One field on both sides; the difference of a text of several lines below. */
function Field({
  name,
  sides: [here, there],
  remote,
}: {
  name: string;
  sides: [string, string];
  remote: string;
}) {
  const hasLines = here.includes("\n") || there.includes("\n");
  return (
    <>
      <h4>{name}</h4>
      <div class="both-sides">
        {[
          ["Here", here],
          [`On ${remote}`, there],
        ].map(([label, text]) => (
          <figure key={label}>
            <figcaption>{label}</figcaption>
            <pre dir="auto">{text}</pre>
          </figure>
        ))}
      </div>
      {hasLines && <DiffView before={here} after={there} label={`What ${remote} has instead`} />}
    </>
  );
}
