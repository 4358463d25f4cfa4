// The versions of a record: what changed in each, and restoring one.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { messageOf, RequestError } from "../api/request.ts";
import { here, setParameters } from "../frame/location.ts";
import { notify } from "../frame/notices.tsx";
import { Author } from "./agent.tsx";
import { Choice, Tags, Time } from "./controls.tsx";
import { DiffView, type DiffViewProps } from "./diff-view.tsx";
import { useKey } from "./key.ts";
import { lazily } from "./lazy.tsx";
import { changesOf, usePages } from "./load.ts";
import { Page, Problem, Waiting } from "./page.tsx";
import type { TimelineProps } from "./pictures/version-timeline.tsx";
import { Rendered } from "./rendered.tsx";
import { ReviewBar } from "./review.tsx";
import { Source } from "./source.tsx";

const VersionTimeline = lazily<TimelineProps>(
  async () => (await import("./pictures/version-timeline.tsx")).VersionTimeline,
);
const RenderedDiff = lazily<DiffViewProps>(async () => (await import("./rendered-diff.tsx")).RenderedDiff);

/** What versions of documents and of prompts have in common. */
export interface Version {
  id: string;
  version: number;
  content: string;
  title?: string;
  changeLog?: string;
  userName?: string;
  origin?: string;
  agent?: string;
  labels?: string[];
  actor?: { kind: string; displayName: string; agent?: string };
  createdAt: number;
}

/** How versions of one record are restored. Both throw RequestError. */
export interface Restoring {
  /** Makes an earlier version the current one. */
  whole(versionId: string): Promise<void>;
  /** Stores `text` as a new version if the current one is still `shown`; throws 412 if it is not. */
  part(shown: Version, text: string, changeLog: string): Promise<void>;
}

interface VersionsProps {
  type: "document" | "prompt";
  id: string;
  /** The record's title, where its versions have none; undefined while it is read, "" if that failed. */
  title?: string;
  /** What else is shown of the selected version. */
  more?: (selected: Version, all: readonly Version[], reload: () => void) => ComponentChildren;
  /** How to restore; undefined if the person may not. */
  restoring: Restoring | undefined;
}

const authorOf = ({ actor, agent, userName }: Version) =>
  actor ? { agent: actor.agent, name: actor.displayName, kind: actor.kind } : { agent, name: userName };

/** Whole texts are read, so a page is short. */
const PAGE = 20;

export function Versions({ type, id, title, restoring, more }: VersionsProps) {
  const path = `/v1/${type}s/${id}/versions`;
  const href = `/console/${type}s/${id}`;
  const list = usePages<Version>(path, { limit: PAGE }, { concerns: changesOf([type], id) });
  const { searchParams } = here.value;
  const { items } = list;
  const [current] = items;
  const at = Math.max(
    0,
    items.findIndex(({ version }) => String(version) === searchParams.get("version")),
  );
  const selected = items[at];
  const wanted = ["version", "against"].flatMap((name) => searchParams.get(name) || []);
  const isKnown = (number: string) => items.some(({ version }) => String(version) === number);
  // An address may name any two versions, also those that are not in the first page.
  const isMissing = list.hasMore && !list.isLoading && !wanted.every(isKnown);
  useEffect(() => {
    if (isMissing) list.loadMore();
  }, [isMissing]);
  const heading = title ?? current?.title;
  const against = searchParams.get("against") ?? "";
  const other = against === "" ? items[at + 1] : items.find(({ version }) => String(version) === against);

  /** The version that can be restored: what is selected, or what the current one is compared with. */
  const earlier = at === 0 ? other : selected;
  const restoreEarlier = async () => {
    if (!earlier || !restoring) return;
    try {
      await restoring.whole(earlier.id);
      notify(`Version ${earlier.version} is restored as a new version.`);
      setParameters({ version: "", against: "" });
      list.reload();
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
  };
  /** Only of the current version, because a part of an earlier one may have changed again. */
  const isPartial = restoring !== undefined && at === 0 && other !== undefined && selected !== undefined;
  const isRestoring = useRef(false);
  const restorePart = async (text: string) => {
    if (!isPartial || isRestoring.current) return;
    isRestoring.current = true;
    try {
      await restoring.part(selected, text, `restored a part of version ${other.version}`);
      notify(`The part is as in version ${other.version}, in a new version.`);
      setParameters({ version: "", against: String(other.version) });
    } catch (error) {
      const isChanged = error instanceof RequestError && error.status === 412;
      notify(isChanged ? "There is a newer version: it is shown now." : messageOf(error), { kind: "failed" });
    }
    isRestoring.current = false;
    list.reload();
  };

  const isRendered = searchParams.get("as") === "rendered";
  const Comparison = isRendered ? RenderedDiff : DiffView;
  useKey("r", restoring && earlier ? restoreEarlier : undefined);
  return (
    <Page
      title={heading ? `Versions of ${heading}` : "Versions"}
      actions={
        <a class="button" href={href}>
          Back
        </a>
      }
    >
      <ReviewBar recordId={id} />
      <Problem text={list.problem} retry={list.reload} />
      {items.length === 0 && list.isLoading && <Waiting />}
      {/* Not before all is read: the heading, the list and the text beside it would move each other. */}
      {selected && heading !== undefined && items.length > 2 && (
        <div class="version-timeline">
          <VersionTimeline type={type} id={id} selected={selected.version} />
        </div>
      )}
      {selected && heading !== undefined && (
        <div class="columns versions">
          <div>
            <ol class="plain">
              {items.map((version, index) => (
                <li key={version.id}>
                  <button
                    type="button"
                    class="version"
                    aria-pressed={index === at}
                    onClick={() => setParameters({ version: String(version.version) })}
                  >
                    <b>
                      Version {version.version}
                      {index === 0 && " (current)"}
                    </b>
                    <Tags tags={version.labels ?? []} />
                    <span class="quiet">
                      <Time at={version.createdAt} /> · <Author {...authorOf(version)} />
                      {version.origin && ` · ${version.origin}`}
                    </span>
                    {version.changeLog && <span dir="auto">{version.changeLog}</span>}
                  </button>
                </li>
              ))}
            </ol>
            {list.hasMore && (
              <button type="button" onClick={list.loadMore}>
                Older versions
              </button>
            )}
          </div>
          <section aria-label={`Version ${selected.version}`}>
            <div class="actions">
              <label>
                Compare with{" "}
                <select
                  value={against}
                  onChange={({ currentTarget: { value } }) => setParameters({ against: value })}
                >
                  <option value="">the version before</option>
                  {items.map(({ id: versionId, version }) => (
                    <option key={versionId} value={String(version)}>
                      version {version}
                    </option>
                  ))}
                </select>
              </label>
              {restoring && earlier && (
                <button type="button" onClick={restoreEarlier}>
                  Restore version {earlier.version}
                </button>
              )}
              <Choice
                label="Compare"
                options={[
                  ["text", "Text"],
                  ["rendered", "Rendered"],
                ]}
                value={isRendered ? "rendered" : "text"}
                onChange={(value) => setParameters({ as: value === "rendered" ? "rendered" : "" })}
              />
            </div>
            {more?.(selected, items, list.reload)}
            {other && other.title !== selected.title && (
              <p>
                Title: <del dir="auto">{other.title}</del> <ins dir="auto">{selected.title}</ins>
              </p>
            )}
            {other ? (
              <Comparison
                before={other.content}
                after={selected.content}
                label={`From version ${other.version} to version ${selected.version}`}
                restore={isPartial ? restorePart : undefined}
              />
            ) : (
              <>
                <p class="quiet">This is the first version.</p>
                {isRendered ? (
                  <Rendered text={selected.content} />
                ) : (
                  <Source text={selected.content} label="The text" />
                )}
              </>
            )}
          </section>
        </div>
      )}
    </Page>
  );
}
