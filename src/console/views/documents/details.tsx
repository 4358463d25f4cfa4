// What belongs to a document besides its text: source, collections, metadata, coordination, status.

import { useState } from "preact/hooks";
import { messageOf } from "../../api/request.ts";
import { may } from "../../api/session.ts";
import { notify } from "../../frame/notices.tsx";
import { Time } from "../../parts/controls.tsx";
import { Memberships } from "../../parts/memberships.tsx";
import { Neighbours } from "./neighbours.tsx";
import { CoordinationPanel } from "./coordination.tsx";
import { refreshDocument, type Stored, saveDocument } from "./stored.ts";

interface DetailsProps {
  stored: Stored;
  reload(): void;
}

export function Details({ stored, reload }: DetailsProps) {
  const { document } = stored;
  const entries = Object.entries(document.metadata);
  return (
    <aside class="details" aria-label="Details">
      {document.sourceUrl !== undefined && <SourcePanel stored={stored} reload={reload} />}
      <Neighbours document={document} />
      <Memberships id={document.id} type="document" />
      <h2>Metadata</h2>
      {entries.length === 0 ? (
        <p class="quiet">None. Edit the document to add some.</p>
      ) : (
        <dl>
          {entries.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <CoordinationPanel stored={stored} reload={reload} />
      {may("documents.write") && <ArchivePanel stored={stored} reload={reload} />}
    </aside>
  );
}

function SourcePanel({ stored, reload }: DetailsProps) {
  const { id, sourceUrl = "", sourceType, source, status } = stored.document;
  const [isRefreshing, setRefreshing] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const refresh = async () => {
    setRefreshing(true);
    try {
      const changed = await refreshDocument(stored);
      setChanged(changed);
      notify(changed ? "The page has changed: this is its new text." : "The page has not changed.");
    } catch (error) {
      notify(`The page could not be fetched: ${messageOf(error)}`, { kind: "failed" });
    }
    setRefreshing(false);
    reload();
  };
  return (
    <>
      <h2>Source</h2>
      <p>
        <a href={sourceUrl} target="_blank" rel="noopener noreferrer nofollow">
          {sourceUrl}
        </a>
      </p>
      {source?.lastCheckedAt !== undefined && (
        <p class="quiet">
          checked <Time at={source.lastCheckedAt} />
        </p>
      )}
      {source?.lastRefreshError && (
        <p class="problem">
          {source.lastRefreshError.message} ({source.lastRefreshError.code})
        </p>
      )}
      {sourceType === "scrape" && status !== "processing" && may("documents.write") && (
        <button type="button" disabled={isRefreshing} onClick={refresh}>
          {isRefreshing ? "Fetching…" : "Fetch again"}
        </button>
      )}
      {isChanged && (
        <p>
          <a href={`/console/documents/${id}/versions`}>What has changed?</a>
        </p>
      )}
    </>
  );
}

function ArchivePanel({ stored, reload }: DetailsProps) {
  const { id, isArchived } = stored.document;
  const change = async () => {
    try {
      await saveDocument(id, stored.etag, { status: isArchived ? "published" : "archived" });
      notify(isArchived ? "Back from the archive." : "Archived: lists leave it out.");
      reload();
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
  };
  return (
    <>
      <h2>Archive</h2>
      <button type="button" onClick={change}>
        {isArchived ? "Take out of the archive" : "Archive"}
      </button>
    </>
  );
}
