// What has changed since this browser showed it last: the part of the start page that is different every day.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Change } from "../../../features/console/replies.ts";
import { user } from "../../api/session.ts";
import { Author } from "../../parts/agent.tsx";
import { Time } from "../../parts/controls.tsx";
import { usePages } from "../../parts/load.ts";
import { plural } from "../../text/format.ts";
import { reviewHref, unseen, versionBefore } from "../../parts/review.tsx";
import { Happenings, useHappened } from "./happenings.tsx";

const MAX_CHANGES = 100;
const MAX_ROWS = 12;

const VERBS: Record<string, string> = {
  create: "written",
  restore: "restored",
  scrape: "fetched",
  refresh: "fetched again",
};

const nameOf = () => `ctxrepo seen ${user.value?.userId}`;

/** The id of the latest change that was shown before this page was opened; "" the first time. */
function readSeen(): string {
  try {
    return localStorage.getItem(nameOf()) ?? "";
  } catch {
    return "";
  }
}

function keepSeen(id: string): void {
  try {
    localStorage.setItem(nameOf(), id);
  } catch {
    // The storage of the browser is switched off: everything is new each time.
  }
}

let seenBefore: string | undefined;

/** `children` are shown below, when nothing moves them any more. */
export function RecentChanges({ children }: { children: ComponentChildren }) {
  const changes = usePages<Change>("/console/api/changes", { limit: MAX_CHANGES }, { concerns: () => true });
  // For as long as the page is open, so that what is new does not become old while one looks at it.
  const [seen] = useState(() => {
    seenBefore ??= readSeen();
    return seenBefore;
  });
  const [latest] = changes.items;
  useEffect(() => {
    if (latest) keepSeen(latest.id);
  }, [latest?.id]);
  const happened = useHappened(seen);
  const isEmpty = changes.items.length === 0;
  const isWaiting = (isEmpty && changes.isLoading) || (!happened.value && happened.problem === undefined);
  if (isWaiting) return null;
  if (isEmpty) {
    return (
      <>
        <Happenings happened={happened} />
        {children}
      </>
    );
  }

  const fresh = changes.items.filter(({ id }) => id > seen);
  const records = [...Map.groupBy(changes.items, ({ recordId }) => recordId).values()];
  const [firstUnseen] = seen === "" ? [] : unseen(changes.items, seen);
  const isAll = fresh.length === MAX_CHANGES;
  return (
    <>
      <section class="recent" aria-label="Recent changes">
        <h2>
          {fresh.length === 0 || seen === ""
            ? "Recent changes"
            : `${isAll ? "More than " : ""}${plural(fresh.length, "change")} since you were here`}
        </h2>
        <Happenings happened={happened} />
        {firstUnseen && (
          <p>
            <a class="button" href={reviewHref(firstUnseen, seen)}>
              Review what is new
            </a>
          </p>
        )}
        <ul class="plain changes">
          {records.slice(0, MAX_ROWS).map((versions) => (
            <Row key={versions[0]!.recordId} versions={versions} seen={seen} />
          ))}
        </ul>
        <p>
          <a href="/console/activity">All changes</a>
        </p>
      </section>
      {children}
    </>
  );
}

/** One record with its changes, the latest one first. */
function Row({ versions, seen }: { versions: Change[]; seen: string }) {
  const [latest] = versions;
  if (!latest) return null;
  const fresh = versions.filter(({ id }) => id > seen);
  const isNew = seen !== "" && fresh.length > 0;
  const { type, recordId, title, version, origin, createdAt } = latest;
  const before = versionBefore(fresh, type);
  return (
    <li>
      {isNew && <span class="status running">new</span>}
      <a href={`/console/${type}s/${recordId}`} dir="auto">
        {title}
      </a>
      <span class="quiet">
        {fresh.length > 1 && isNew
          ? `${plural(fresh.length, "change")}, the last by `
          : `${VERBS[origin ?? ""] ?? "changed"} by `}
        <Author agent={latest.agent} name={latest.actorName} kind={latest.actorKind} /> ·{" "}
        <Time at={createdAt} />
      </span>
      {isNew && before !== undefined && (
        <a href={`/console/${type}s/${recordId}/versions?version=${version}&against=${before}`}>
          What changed?
        </a>
      )}
    </li>
  );
}
