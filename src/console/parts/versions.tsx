// The versions of a record: what changed in each, and restoring one.

import { messageOf } from "../api/request.ts";
import { here, setParameters } from "../frame/location.ts";
import { notify } from "../frame/notices.tsx";
import { Author } from "./agent.tsx";
import { Time } from "./controls.tsx";
import { DiffView } from "./diff-view.tsx";
import { changesOf, usePages } from "./load.ts";
import { Page, Problem, Waiting } from "./page.tsx";
import { Source } from "./source.tsx";

/** What versions of documents and of prompts have in common. */
interface Version {
  id: string;
  version: number;
  content: string;
  title?: string;
  changeLog?: string;
  userName?: string;
  origin?: string;
  agent?: string;
  actor?: { kind: string; displayName: string; agent?: string };
  createdAt: number;
}

interface VersionsProps {
  type: "document" | "prompt";
  id: string;
  /** The record's title, where its versions have none; undefined while it is read, "" if that failed. */
  title?: string;
  /** Undefined if the person may not restore. */
  restore: ((versionId: string) => Promise<void>) | undefined;
}

const authorOf = ({ actor, agent, userName }: Version) =>
  actor ? { agent: actor.agent, name: actor.displayName, kind: actor.kind } : { agent, name: userName };

/** Whole texts are read, so a page is short. */
const PAGE = 20;

export function Versions({ type, id, title, restore }: VersionsProps) {
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
  const heading = title ?? current?.title;
  const against = searchParams.get("against") ?? "";
  const other = against === "" ? items[at + 1] : items.find(({ version }) => String(version) === against);

  const restoreSelected = async () => {
    if (!selected || !restore) return;
    try {
      await restore(selected.id);
      notify(`Version ${selected.version} is restored as a new version.`);
      setParameters({ version: "", against: "" });
      list.reload();
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
  };

  return (
    <Page
      title={heading ? `Versions of ${heading}` : "Versions"}
      actions={
        <a class="button" href={href}>
          Back
        </a>
      }
    >
      <Problem text={list.problem} retry={list.reload} />
      {items.length === 0 && list.isLoading && <Waiting />}
      {/* Not before all is read: the heading, the list and the text beside it would move each other. */}
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
              {restore && at > 0 && (
                <button type="button" onClick={restoreSelected}>
                  Restore version {selected.version}
                </button>
              )}
            </div>
            {other && other.title !== selected.title && (
              <p>
                Title: <del dir="auto">{other.title}</del> <ins dir="auto">{selected.title}</ins>
              </p>
            )}
            {other ? (
              <DiffView
                before={other.content}
                after={selected.content}
                label={`From version ${other.version} to version ${selected.version}`}
              />
            ) : (
              <>
                <p class="quiet">This is the first version.</p>
                <Source text={selected.content} label="The text" />
              </>
            )}
          </section>
        </div>
      )}
    </Page>
  );
}
