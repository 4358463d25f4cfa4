// Fetching a web page into a new document, with its progress.

import { useEffect, useState } from "preact/hooks";
import { messageOf, write } from "../../api/request.ts";
import { keepDraft, readDraft } from "../../frame/drafts.ts";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { Field } from "../../parts/controls.tsx";
import { Problem } from "../../parts/page.tsx";
import { type StoredPage, storedPage } from "../../../requests/stored-page.ts";
import { loadDocument } from "../documents/stored.ts";
import { clientOf } from "./import/client.ts";

const POLL_MS = 500;
const DRAFT = "new page";

const isFetched = ({ status }: Fetching) => status !== "processing" && status !== "refreshing";

interface Fetching {
  id: string;
  url: string;
  status: string;
  title: string;
  problem?: string;
}

export function PageForm() {
  const [url, setUrl] = useState(() => readDraft<string>(DRAFT) ?? "");
  const [collectionId, setCollection] = useState("");
  const [pages, setPages] = useState<readonly Fetching[]>([]);
  const [problem, setProblem] = useState<string | undefined>();
  const update = (page: Fetching) =>
    setPages((before) => [page, ...before.filter(({ id }) => id !== page.id)]);

  const create = async () => {
    const { documentId } = await write<{ documentId: string }>("POST", "/v1/documents/scrape", {
      body: { url, ...(collectionId !== "" && { collectionIds: [collectionId] }) },
    });
    update({ id: documentId, url, status: "processing", title: url });
  };
  /** The URL is stored already: its document is fetched again. */
  const refresh = async ({ id, title }: StoredPage) => {
    update({ id, url, status: "refreshing", title });
    try {
      await write("POST", `/v1/documents/${id}/refresh`);
      if (collectionId !== "") {
        const body = { itemType: "document", itemIds: [id] };
        await write("POST", `/v1/collections/${collectionId}/items`, { body });
      }
    } finally {
      const { document } = await loadDocument(id);
      const problem = document.source?.lastRefreshError?.message;
      update({ id, url, status: document.status, title: document.title, problem });
    }
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      const known = await storedPage(clientOf(new AbortController().signal), url);
      if (known && known.status !== "processing") await refresh(known);
      else await create();
      setUrl("");
      keepDraft(DRAFT, null);
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const isWaiting = pages.some(({ status }) => status === "processing");
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(async () => {
      for (const page of pages.filter(({ status }) => status === "processing")) {
        const stored = await loadDocument(page.id).catch(() => undefined);
        if (!stored) continue;
        const { status, title, source } = stored.document;
        update({ ...page, status, title, problem: source?.lastRefreshError?.message });
      }
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isWaiting, pages.length]);

  return (
    <form class="editor" onSubmit={submit}>
      <Field label="Address" hint="The page is fetched by this server. Its scripts are not run.">
        <input
          required
          inputMode="url"
          placeholder="https://…"
          value={url}
          onInput={({ currentTarget: { value } }) => {
            setUrl(value);
            keepDraft(DRAFT, value);
          }}
        />
      </Field>
      <CollectionSelect label="Collection" none="None" value={collectionId} onChange={setCollection} />
      <Problem text={problem} />
      <button type="submit" class="primary">
        Fetch
      </button>
      <ul class="plain jobs" aria-live="polite">
        {pages.map((page) => (
          <li key={page.id}>
            <span class={`status ${page.status}`}>{isFetched(page) ? page.status : "fetching…"}</span>
            <a href={`/console/documents/${page.id}`} dir="auto">
              {page.title}
            </a>
            {page.problem !== undefined && <span class="quiet">{page.problem}</span>}
          </li>
        ))}
      </ul>
    </form>
  );
}
