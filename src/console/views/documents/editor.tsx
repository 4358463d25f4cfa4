// Editing a document beside its preview. What is typed is kept in the browser until it is saved. If somebody else has
// changed the document meanwhile, both versions are shown, and the person decides.

import { useEffect, useState } from "preact/hooks";
import { messageOf, RequestError } from "../../api/request.ts";
import { notify } from "../../frame/notices.tsx";
import { Conflict } from "../../parts/conflict.tsx";
import { Field } from "../../parts/controls.tsx";
import { EditorForm, useDraft } from "../../parts/editor-form.tsx";
import { Rendered } from "../../parts/rendered.tsx";
import { parseTags } from "../../text/format.ts";
import { loadDocument, loadIfChanged, type Stored, saveDocument } from "./stored.ts";

/** What can be edited, as it is typed. */
interface Draft {
  title: string;
  changeLog: string;
  content: string;
  tags: string;
  metadata: string;
  /** The state that the draft was made from. */
  etag: string;
}

const CHECK_MS = 10_000;

const draftOf = ({ document, etag }: Stored): Draft => ({
  title: document.title,
  changeLog: "",
  content: document.content ?? "",
  tags: document.tags.join(", "),
  metadata: JSON.stringify(document.metadata, null, 2),
  etag,
});

interface EditorProps {
  /** The document when editing started. */
  stored: Stored;
  done(): void;
}

export function Editor({ stored, done }: EditorProps) {
  const [base, setBase] = useState(stored);
  const {
    value: draft,
    edit,
    forget,
    restoredFrom,
  } = useDraft(`document ${stored.document.id}`, draftOf(stored));
  const [theirs, setTheirs] = useState<Stored | undefined>();
  const [newer, setNewer] = useState<Stored | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const [isSaving, setSaving] = useState(false);

  useEffect(() => {
    const check = async () => {
      if (document.hidden) return;
      const changed = await loadIfChanged(base.document.id, base.etag).catch(() => undefined);
      setNewer(changed);
    };
    // A kept draft may be older than the document.
    if (draft.etag !== base.etag) setNewer(base);
    const timer = setInterval(check, CHECK_MS);
    addEventListener("focus", check);
    return () => {
      clearInterval(timer);
      removeEventListener("focus", check);
    };
  }, [base.etag]);

  const discard = () => {
    forget();
    done();
  };

  /** Saves the draft as a change of the state that `etag` names. */
  const save = async (etag: string) => {
    setProblem(undefined);
    const metadata = parseObject(draft.metadata);
    if (!metadata) return setProblem('The metadata must be a JSON object, such as {"author": "Ada"}.');
    setSaving(true);
    try {
      const { title, content, tags, changeLog } = draft;
      await saveDocument(
        { ...base, etag },
        { title, content, tags: parseTags(tags), metadata, ...(changeLog !== "" && { changeLog }) },
      );
      notify("Saved.");
      discard();
    } catch (error) {
      const isChanged = error instanceof RequestError && error.status === 412;
      const changed = isChanged ? await loadDocument(base.document.id).catch(() => undefined) : undefined;
      if (changed) setTheirs(changed);
      else setProblem(messageOf(error));
      setSaving(false);
    }
  };

  if (theirs) {
    return (
      <Conflict
        noun="document"
        mine={draft}
        theirs={{
          title: theirs.document.title,
          content: theirs.document.content ?? "",
          changedAt: theirs.document.lastChangedAt,
        }}
        keepMine={() => {
          setTheirs(undefined);
          save(theirs.etag);
        }}
        takeTheirs={discard}
        edit={() => {
          // The next attempt to save is a change of what the person has just seen.
          setBase(theirs);
          edit({ etag: theirs.etag });
          setNewer(undefined);
          setTheirs(undefined);
        }}
      />
    );
  }
  return (
    <EditorForm
      restoredFrom={restoredFrom}
      problem={problem}
      isSaving={isSaving}
      changeLog={draft.changeLog}
      onChangeLog={(changeLog) => edit({ changeLog })}
      save={() => save(draft.etag)}
      discard={discard}
    >
      {newer && (
        <p class="problem" role="status">
          <span>This document was changed while you are editing it.</span>
          <button type="button" onClick={() => setTheirs(newer)}>
            Compare
          </button>
        </p>
      )}
      <Field label="Title">
        <input
          required
          maxLength={512}
          dir="auto"
          value={draft.title}
          onInput={({ currentTarget: { value } }) => edit({ title: value })}
        />
      </Field>
      <div class="side-by-side">
        <Field label="Text (Markdown)">
          <textarea
            rows={24}
            dir="auto"
            value={draft.content}
            onInput={({ currentTarget: { value } }) => edit({ content: value })}
          />
        </Field>
        <section aria-label="Preview" class="preview">
          <Rendered text={draft.content} />
        </section>
      </div>
      <Field label="Tags" hint="Separated by commas">
        <input value={draft.tags} onInput={({ currentTarget: { value } }) => edit({ tags: value })} />
      </Field>
      <details>
        <summary>Metadata</summary>
        <Field label="JSON">
          <textarea
            rows={6}
            class="code"
            spellcheck={false}
            value={draft.metadata}
            onInput={({ currentTarget: { value } }) => edit({ metadata: value })}
          />
        </Field>
      </details>
    </EditorForm>
  );
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
