// Writing a new document or prompt. What is typed is kept in the browser until it is saved.

import { useState } from "preact/hooks";
import { messageOf, write } from "../../api/request.ts";
import { go } from "../../frame/location.ts";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { Field } from "../../parts/controls.tsx";
import { useDraft } from "../../parts/editor-form.tsx";
import { Problem } from "../../parts/page.tsx";
import { Rendered } from "../../parts/rendered.tsx";
import { parseTags } from "../../text/format.ts";
import { EXAMPLE_PLACEHOLDER, placeholdersIn } from "../../../kernel/placeholders.ts";

interface Draft {
  title: string;
  description: string;
  content: string;
  tags: string;
  collectionId: string;
}

const BLANK: Draft = { title: "", description: "", content: "", tags: "", collectionId: "" };

export function WriteForm({ type }: { type: "document" | "prompt" }) {
  const { value: draft, edit, forget } = useDraft<Draft>(`new ${type}`, BLANK);
  const [problem, setProblem] = useState<string | undefined>();
  const submit = async (event: Event) => {
    event.preventDefault();
    const { title, description, content, tags, collectionId } = draft;
    try {
      const { id } = await write<{ id: string }>("POST", `/v1/${type}s`, {
        body: {
          title,
          content,
          tags: parseTags(tags),
          ...(collectionId !== "" && { collectionIds: [collectionId] }),
          ...(type === "prompt" && {
            description,
            variables: placeholdersIn(content).map((variable) => ({ name: variable, type: "string" })),
          }),
        },
      });
      forget();
      go(`/console/${type}s/${id}`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <form class="editor" onSubmit={submit}>
      <Field label="Title">
        <input
          required
          dir="auto"
          value={draft.title}
          onInput={({ currentTarget: { value } }) => edit({ title: value })}
        />
      </Field>
      {type === "prompt" && (
        <Field label="Description">
          <input
            value={draft.description}
            onInput={({ currentTarget: { value } }) => edit({ description: value })}
          />
        </Field>
      )}
      <div class={type === "document" ? "side-by-side" : ""}>
        <Field
          label={type === "document" ? "Text (Markdown)" : "Prompt"}
          hint={
            type === "prompt"
              ? `Placeholders such as ${EXAMPLE_PLACEHOLDER} are filled in when the prompt is used.`
              : undefined
          }
        >
          <textarea
            rows={16}
            dir="auto"
            required={type === "prompt"}
            value={draft.content}
            onInput={({ currentTarget: { value } }) => edit({ content: value })}
          />
        </Field>
        {type === "document" && (
          <section aria-label="Preview" class="preview">
            <Rendered text={draft.content} />
          </section>
        )}
      </div>
      <div class="fields">
        <Field label="Tags" hint="Separated by commas">
          <input value={draft.tags} onInput={({ currentTarget: { value } }) => edit({ tags: value })} />
        </Field>
        <CollectionSelect
          label="Collection"
          none="None"
          value={draft.collectionId}
          onChange={(collectionId) => edit({ collectionId })}
        />
      </div>
      <Problem text={problem} />
      <button type="submit" class="primary">
        Save {type}
      </button>
    </form>
  );
}
