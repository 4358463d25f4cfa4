// Editing a document beside its preview.

import { Field } from "../../parts/controls.tsx";
import { type Editable, type Snapshot, useEditing } from "../../parts/editing.ts";
import { EditorForm } from "../../parts/editor-form.tsx";
import { Preview } from "../../parts/preview.tsx";
import { TagsInput } from "../../parts/tags-input.tsx";
import { TextEditor } from "../../parts/text-editor.tsx";
import { parseTags } from "../../text/format.ts";
import { parseObject } from "../../../kernel/json.ts";
import { withLineEndsOf } from "../../text/line-ends.ts";
import { loadDocument, type Stored, saveDocument } from "./stored.ts";

/** What can be edited, as it is typed. */
interface Fields {
  title: string;
  content: string;
  /** Separated by commas. */
  tags: string;
  /** A JSON object. */
  metadata: string;
}

const snapshotOf = ({ document, etag }: Stored): Snapshot<Fields> => ({
  value: {
    title: document.title,
    content: document.content ?? "",
    tags: document.tags.join(", "),
    metadata: JSON.stringify(document.metadata, null, 2),
  },
  mark: etag,
  changedAt: document.lastChangedAt,
});

const editableOf = ({ id, title }: Stored["document"]): Editable<Fields> => ({
  subject: { kind: "document", id, title },
  mergedBy: { title: "whole", content: "lines", tags: "list", metadata: "members" },
  load: async () => snapshotOf(await loadDocument(id)),
  async save(typed, base, changeLog) {
    await saveDocument(id, base.mark, {
      title: typed.title,
      content: withLineEndsOf(base.value.content, typed.content),
      tags: parseTags(typed.tags),
      metadata: parseObject(typed.metadata),
      ...(changeLog !== "" && { changeLog }),
    });
  },
});

interface EditorProps {
  /** The document when editing started. */
  stored: Stored;
  done(): void;
}

export function Editor({ stored, done }: EditorProps) {
  const editable = editableOf(stored.document);
  const editing = useEditing(editable, snapshotOf(stored), done);
  if (!editing) return null;
  const { value, edit } = editing;
  const save = () => {
    if (parseObject(value.metadata)) editing.save();
    else editing.reject('The metadata must be a JSON object, such as {"author": "Ada"}.');
  };
  return (
    <EditorForm editable={editable} editing={editing} save={save}>
      <Field label="Title">
        <input
          required
          maxLength={512}
          dir="auto"
          value={value.title}
          onInput={({ currentTarget }) => edit({ title: currentTarget.value })}
        />
      </Field>
      <div class="side-by-side">
        <TextEditor
          label="Text (Markdown)"
          isMarkdown
          value={value.content}
          onChange={(content) => edit({ content })}
        />
        <Preview text={value.content} />
      </div>
      <Field label="Tags" hint="Separated by commas">
        <TagsInput value={value.tags} onChange={(tags) => edit({ tags })} />
      </Field>
      <details>
        <summary>Metadata</summary>
        <Field label="JSON">
          <textarea
            rows={6}
            class="code"
            spellcheck={false}
            value={value.metadata}
            onInput={({ currentTarget }) => edit({ metadata: currentTarget.value })}
          />
        </Field>
      </details>
    </EditorForm>
  );
}
