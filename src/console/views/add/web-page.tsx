// Fetching a web page into a new document, with its progress.

import { useEffect, useState } from "preact/hooks";
import { onChanges } from "../../api/live.ts";
import { messageOf, write } from "../../api/request.ts";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { Field } from "../../parts/controls.tsx";
import { useDraft } from "../../parts/draft.ts";
import { Problem } from "../../parts/page.tsx";
import { useSubmit } from "../../parts/submit.ts";
import { type StoredPage, storedPage } from "../../../requests/stored-page.ts";
import { loadDocument } from "../documents/stored.ts";
import { clientOf } from "../../api/client.ts";

const SUBJECT = { kind: "page", id: "", title: "Web page to fetch" } as const;

const isFetched = ({ status }: Fetching) => status !== "processing" && status !== "refreshing";

interface Fetching {
  id: string;
  url: string;
  status: string;
  title: string;
  problem?: string;
}

export function PageForm() {
  const draft = useDraft(SUBJECT, { url: "" });
  const url = draft?.value.url ?? "";
  const [collectionId, setCollection] = useState("");
  const [pages, setPages] = useState<readonly Fetching[]>([]);
  const [problem, setProblem] = useState<string | undefined>();
  const update = (page: Fetching) =>
    setPages((before) => [page, ...before.filter(({ id }) => id !== page.id)]);

  const create = async (key: string) => {
    const { documentId } = await write<{ documentId: string }>("POST", "/v1/documents/scrape", {
      headers: { "Idempotency-Key": key },
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
  const { isSending, submit } = useSubmit(
    async (key) => {
      try {
        const known = await storedPage(clientOf(new AbortController().signal), url);
        if (known && known.status !== "processing") await refresh(known);
        else await create(key);
        draft?.edit({ url: "" });
        setProblem(undefined);
      } catch (error) {
        setProblem(messageOf(error));
      }
    },
    [url, collectionId],
  );
  const waiting = pages.filter(({ status }) => status === "processing");
  const waitingIds = waiting.map(({ id }) => id).join();
  useEffect(() => {
    if (waitingIds === "") return;
    const check = async () => {
      for (const page of waiting) {
        const stored = await loadDocument(page.id).catch(() => undefined);
        if (!stored) continue;
        const { status, title, source } = stored.document;
        if (status !== page.status)
          update({ ...page, status, title, problem: source?.lastRefreshError?.message });
      }
    };
    check();
    return onChanges((changes) => {
      if (changes === "unknown" || changes.some(({ id }) => waitingIds.includes(id))) check();
    });
  }, [waitingIds]);

  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="Address" hint="The page is fetched by this server. Its scripts are not run.">
        <input
          required
          inputMode="url"
          placeholder="https://…"
          value={url}
          onInput={({ currentTarget }) => draft?.edit({ url: currentTarget.value })}
        />
      </Field>
      <CollectionSelect label="Collection" none="None" value={collectionId} onChange={setCollection} />
      <Problem text={problem} />
      <button type="submit" class="primary" disabled={isSending}>
        {isSending ? "Sending…" : "Fetch"}
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
