// The view Activity: jobs, sizes, throughput, and who changed what.

import { useState } from "preact/hooks";
import { messageOf, write } from "../api/request.ts";
import { may } from "../api/session.ts";
import type { Change, FailedFetch, Job, Status } from "../../features/console/replies.ts";
import { here } from "../frame/location.ts";
import { IndexingDetails } from "../frame/indexing.tsx";
import { notify } from "../frame/notices.tsx";
import { Author } from "../parts/agent.tsx";
import { Time } from "../parts/controls.tsx";
import { lazily } from "../parts/lazy.tsx";
import { usePages, useRead } from "../parts/load.ts";
import { Empty, Page, Problem, Waiting } from "../parts/page.tsx";
import { type DayRange, momentsOf, rangeOf, rangeText } from "../text/days.ts";
import { bytes, plural } from "../text/format.ts";

const StoragePicture = lazily<object>(
  async () => (await import("../parts/pictures/storage.tsx")).StoragePicture,
);
const ChangeDaysPicture = lazily<{ range: DayRange | undefined }>(
  async () => (await import("../parts/pictures/change-days.tsx")).ChangeDaysPicture,
);

/** While many records are indexed, each of them is a change. */
const GATHER_MS = 1_000;
/** Waiting and running jobs that are listed; the numbers say how many there are. */
const MAX_OPEN_JOBS = 6;
const ACTIONS: Record<string, string> = {
  "document.index": "Index",
  "document.scrape": "Fetch the page",
  "prompt.index": "Index",
};

interface Work {
  jobs: Job[];
  failedFetches: FailedFetch[];
}

export function ActivityView() {
  const live = { concerns: () => true, gatherMs: GATHER_MS };
  const status = useRead<Status>("/console/api/status", live);
  const work = useRead<Work>("/console/api/jobs", live);
  const { searchParams } = here.value;
  const range = rangeOf(searchParams.get("from") ?? "", searchParams.get("to") ?? "");
  const moments = range && momentsOf(range);
  const changes = usePages<Change>("/console/api/changes", { limit: 50, ...moments }, live);
  return (
    <Page title="Activity" actions={may("documents.read") && <a href="/console/machines">Machines</a>}>
      <Problem text={status.problem ?? work.problem} />
      {status.value ? <Numbers status={status.value} /> : <Waiting />}
      {may("documents.read") && <StorageDetails />}
      <h2>Jobs</h2>
      <IndexingDetails />
      {work.value && <Jobs work={work.value} reload={work.reload} />}
      <h2>Changes by day</h2>
      <div class="change-days">
        <ChangeDaysPicture range={range} />
      </div>
      <h2>{range ? `Changes of ${rangeText(range)}` : "Recent changes"}</h2>
      <Problem text={changes.problem} retry={changes.reload} />
      {changes.items.length === 0 && !changes.isLoading && range && (
        <p class="quiet">Nothing was changed on these days, or it has been deleted since then.</p>
      )}
      {changes.items.length === 0 && !changes.isLoading && !range && (
        <Empty title="Nothing has changed yet">
          <p>Here you see which person or agent has written what.</p>
        </Empty>
      )}
      <ul class="plain changes">
        {changes.items.map((change) => (
          <ChangeRow key={change.id} change={change} />
        ))}
      </ul>
      {changes.hasMore && (
        <button type="button" onClick={changes.loadMore}>
          Earlier changes
        </button>
      )}
    </Page>
  );
}

/** The sizes are read when a person wants to see them, because that takes a while. */
function StorageDetails() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="storage" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Storage by collection</summary>
      {isOpen && <StoragePicture />}
    </details>
  );
}

function Numbers({ status: { jobs, database, records, embedder, version } }: { status: Status }) {
  const facts = [
    ["Documents", records.documents.toLocaleString("en")],
    ["Prompts", records.prompts.toLocaleString("en")],
    ["Collections", records.collections.toLocaleString("en")],
    ["Database on disk", bytes(database.bytes)],
    ["Index", `${plural(records.chunks, "chunk")} of ${plural(records.indexedDocuments, "document")}`],
    ["Jobs", `${jobs.queued} queued, ${jobs.running} running, ${jobs.failed} failed`],
    ["Embedding model", embedder.state === "ok" ? "ready" : (embedder.problem ?? embedder.state)],
    [
      "Embedding",
      embedder.tokens === 0 ? "idle" : `${embedder.tokensPerSecond.toLocaleString("en")} tokens per second`,
    ],
    ["Version", version],
  ] as const;
  return (
    <dl class="numbers">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Jobs({ work: { jobs, failedFetches }, reload }: { work: Work; reload(): void }) {
  const retry = async (path: string, body?: object) => {
    try {
      await write("POST", path, { body });
      notify("Trying again.");
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    reload();
  };
  if (jobs.length === 0 && failedFetches.length === 0) {
    return <p class="quiet">Everything is indexed, and no fetch has failed.</p>;
  }
  const failed = jobs.filter(({ state }) => state === "failed");
  const open = jobs.filter(({ state }) => state !== "failed");
  const shown = [...failed, ...open.slice(0, MAX_OPEN_JOBS)];
  return (
    <ul class="plain jobs">
      {failedFetches.map(({ id, title, source: { lastRefreshError: error } }) => (
        <li key={id}>
          <span class="status failed">failed</span>
          <span>
            Fetch the page of <a href={`/console/documents/${id}`}>{title}</a>
          </span>
          {error && (
            <span class="quiet">
              {error.message} · <Time at={error.at} />
            </span>
          )}
          {may("documents.write") && (
            <button type="button" class="small" onClick={() => retry(`/v1/documents/${id}/refresh`)}>
              Retry
            </button>
          )}
        </li>
      ))}
      {shown.map((job) => (
        <li key={job.id}>
          <span class={`status ${job.state}`}>{job.state}</span>
          <span>
            {ACTIONS[job.kind] ?? job.kind}:{" "}
            <a href={`/console/${job.kind.startsWith("prompt") ? "prompts" : "documents"}/${job.subject}`}>
              {job.title}
            </a>
          </span>
          {job.error !== null && <span class="quiet">{job.error}</span>}
          {job.state === "failed" && may("documents.write") && (
            <button
              type="button"
              class="small"
              onClick={() => retry("/console/api/jobs/retry", { jobId: job.id })}
            >
              Retry
            </button>
          )}
        </li>
      ))}
      {open.length > MAX_OPEN_JOBS && <li class="quiet">and more, which wait for these</li>}
    </ul>
  );
}

function ChangeRow({ change }: { change: Change }) {
  const { type, recordId, title, version, origin, changeLog, createdAt } = change;
  return (
    <li>
      <a href={`/console/${type}s/${recordId}/versions`} dir="auto">
        {title}
      </a>
      <span class="quiet">
        {origin ?? "changed"} · version {version} ·{" "}
        <Author agent={change.agent} name={change.actorName} kind={change.actorKind} /> ·{" "}
        <Time at={createdAt} />
      </span>
      {changeLog && <span dir="auto">{changeLog}</span>}
    </li>
  );
}
