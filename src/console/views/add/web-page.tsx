// Fetching a web page into a new document, with its progress.

import { useEffect, useState } from "preact/hooks";
import { messageOf, write } from "../../api/request.ts";
import { keepDraft, readDraft } from "../../frame/drafts.ts";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { Field } from "../../parts/controls.tsx";
import { Problem } from "../../parts/page.tsx";
import { loadDocument } from "../documents/stored.ts";

const POLL_MS = 500;
const DRAFT = "new page";

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

  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      const { documentId } = await write<{ documentId: string }>("POST", "/v1/documents/scrape", {
        body: { url, ...(collectionId !== "" && { collectionIds: [collectionId] }) },
      });
      update({ id: documentId, url, status: "processing", title: url });
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
            <span class={`status ${page.status}`}>
              {page.status === "processing" ? "fetching…" : page.status}
            </span>
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
