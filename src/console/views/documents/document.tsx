// The view of one document: rendered, as source, and being edited. A fragment names the paragraph to mark.

import { useEffect, useState } from "preact/hooks";
import type { Document, ReadChunk } from "../../api/openapi.d.ts";
import { RequestError, read } from "../../api/request.ts";
import { importPathOf } from "../../../kernel/import-members.ts";
import { may } from "../../api/session.ts";
import { deleteRecords } from "../../frame/deletions.ts";
import { go, here, setParameters } from "../../frame/location.ts";
import { Choice, CopyButton, Tags, Time } from "../../parts/controls.tsx";
import { changesOf, useLoad } from "../../parts/load.ts";
import { Empty, Page, Problem, Waiting } from "../../parts/page.tsx";
import { PinButton } from "../../parts/pins.tsx";
import { Rendered } from "../../parts/rendered.tsx";
import type { Heading, Range } from "../../parts/rendered-blocks.tsx";
import { Source } from "../../parts/source.tsx";
import { OrphanedDrafts } from "../drafts.tsx";
import { Details } from "./details.tsx";
import { Editor } from "./editor.tsx";
import { anchorOf, Outline } from "./outline.tsx";
import { isTruncated, loadDocument, type Stored } from "./stored.ts";

export function DocumentView({ id }: { id: string }) {
  const {
    value: stored,
    problem,
    reload,
  } = useLoad((signal) => loadDocument(id, signal), [id], {
    key: `document ${id}`,
    concerns: changesOf(["document"], id),
  });
  const [headings, setHeadings] = useState<readonly Heading[]>([]);
  const asked = here.value.searchParams.get("view") ?? "read";

  if (!stored) {
    return (
      <Page title="Document">
        <Problem text={problem} retry={reload} />
        {problem !== undefined && <OrphanedDrafts kind="document" id={id} />}
        {problem === undefined ? <Waiting /> : <a href="/console/documents">All documents</a>}
      </Page>
    );
  }
  const { document } = stored;
  const canEdit = may("documents.write") && !isTruncated(document);
  const view = asked === "edit" && !canEdit ? "read" : asked;
  return (
    <Page title={document.title} actions={view !== "edit" && <Actions stored={stored} />}>
      {view !== "edit" && <Problem text={problem} retry={reload} />}
      <Facts document={document} />
      <Choice
        label="View"
        options={[
          ["read", "Rendered"],
          ["source", "Source"],
          ...(canEdit ? ([["edit", "Edit"]] as const) : []),
        ]}
        value={view === "source" || view === "edit" ? view : "read"}
        onChange={(next) => setParameters({ view: next === "read" ? "" : next })}
      />
      {view === "edit" ? (
        <Editor
          stored={stored}
          done={() => {
            setParameters({ view: "" });
            reload();
          }}
        />
      ) : (
        <div class={`columns ${hasHeadings(document) ? "" : "two"}`}>
          {hasHeadings(document) && <Outline href={hrefOf(document)} headings={headings} />}
          <article>
            {view === "source" ? (
              <Source text={document.content} label="The source" />
            ) : (
              <Body document={document} onHeadings={setHeadings} />
            )}
          </article>
          <Details stored={stored} reload={reload} />
        </div>
      )}
    </Page>
  );
}

/** Whether a text seems to have sections. Known before the outline is read, so that nothing moves when it is there. */
const hasHeadings = ({ content = "" }: Document) =>
  (content.match(/^ {0,3}(#{1,6}[ \t]|(=+|-+)[ \t]*$)/gm)?.length ?? 0) > 1;

function Actions({ stored: { document } }: { stored: Stored }) {
  const { id, title } = document;
  return (
    <>
      <PinButton record={{ id, type: "document" }} />
      <CopyButton text={document.content ?? ""} label="Copy text" />
      <a class="button" href={`/console/documents/${id}/versions`}>
        Versions
      </a>
      {may("documents.write") && (
        <button
          type="button"
          class="danger"
          onClick={() => {
            deleteRecords({ type: "document", ids: [id], label: `“${title}”` });
            go("/console/documents");
          }}
        >
          Delete
        </button>
      )}
    </>
  );
}

function Facts({ document }: { document: Document }) {
  return (
    <div class="facts">
      <span class={`status ${document.status}`}>{document.status}</span>
      <span>revision {document.revision}</span>
      <span>
        changed <Time at={document.lastChangedAt} />
      </span>
      <Tags tags={document.tags} base="/console/documents" />
    </div>
  );
}

const hrefOf = ({ id }: Document) => `/console/documents/${id}`;

interface BodyProps {
  document: Document;
  onHeadings(headings: readonly Heading[]): void;
}

function Body({ document, onHeadings }: BodyProps) {
  const marked = useMarked(document.id);
  if (document.status === "processing") return <Waiting what="Fetching the page" />;
  if ((document.content ?? "") === "") {
    return (
      <Empty title="This document has no text">
        <p>
          {document.status === "failed"
            ? "Its page could not be fetched: see Source."
            : "Edit it to add some."}
        </p>
      </Empty>
    );
  }
  return (
    <>
      {marked.isGone && (
        <p class="quiet" role="status">
          The passage of this link has changed since. The whole document is shown.
        </p>
      )}
      <Rendered
        text={document.content ?? ""}
        marked={marked.range}
        origin={{ href: hrefOf(document), importPath: importPathOf(document.metadata) }}
        anchor={anchorOf(here.value)}
        onHeadings={onHeadings}
      />
    </>
  );
}

/** The passage that the fragment of the address names. */
function useMarked(documentId: string): { range?: Range; isGone: boolean } {
  const chunkId = here.value.hash.slice(1);
  const [marked, setMarked] = useState<{ range?: Range; isGone: boolean }>({ isGone: false });
  useEffect(() => {
    setMarked({ isGone: false });
    if (!/^[0-9A-Za-z]{27}$/.test(chunkId)) return;
    const controller = new AbortController();
    read<ReadChunk>(`/v1/pd/read/${chunkId}`, { signal: controller.signal }).then(
      ({ hierarchy, metadata, level }) => {
        const range = { start: metadata.startIndex, end: metadata.endIndex };
        const isWhole = level === "document" || hierarchy.documentId !== documentId;
        setMarked({ range: isWhole ? undefined : range, isGone: hierarchy.documentId !== documentId });
      },
      (error) => setMarked({ isGone: error instanceof RequestError && error.status === 404 }),
    );
    return () => controller.abort();
  }, [chunkId, documentId]);
  return marked;
}
