// Writing a new document or prompt.

import { useState } from "preact/hooks";
import { EXAMPLE_PLACEHOLDER } from "../../../kernel/placeholders.ts";
import { messageOf, write } from "../../api/request.ts";
import { go } from "../../frame/location.ts";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { Field } from "../../parts/controls.tsx";
import { useDraft } from "../../parts/draft.ts";
import { Preview } from "../../parts/preview.tsx";
import { newRecord } from "../../parts/save-as-new.tsx";
import { SaveBar, submitOnSaveKey } from "../../parts/save-bar.tsx";
import { useSubmit } from "../../parts/submit.ts";
import { TagsInput } from "../../parts/tags-input.tsx";
import { TextEditor } from "../../parts/text-editor.tsx";
import { Variables } from "../prompts/variables.tsx";

const BLANK = { title: "", description: "", content: "", tags: "", collectionId: "", variables: "" };

export function WriteForm({ type }: { type: "document" | "prompt" }) {
  const subject = { kind: type, id: "", title: `New ${type}` };
  const draft = useDraft(subject, BLANK);
  const [problem, setProblem] = useState<string | undefined>();
  const { isSending, submit } = useSubmit(async (key) => {
    setProblem(undefined);
    try {
      const body = newRecord(type, draft?.value ?? BLANK);
      const headers = { "Idempotency-Key": key };
      const { id } = await write<{ id: string }>("POST", `/v1/${type}s`, { body, headers });
      draft?.forget();
      go(`/console/${type}s/${id}`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, draft?.value);
  if (!draft) return null;
  const { value, edit } = draft;
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={submitOnSaveKey}
    >
      <Field label="Title">
        <input
          required
          dir="auto"
          value={value.title}
          onInput={({ currentTarget }) => edit({ title: currentTarget.value })}
        />
      </Field>
      {type === "prompt" && (
        <Field label="Description">
          <input
            value={value.description}
            onInput={({ currentTarget }) => edit({ description: currentTarget.value })}
          />
        </Field>
      )}
      <div class={type === "document" ? "side-by-side" : ""}>
        <TextEditor
          label={type === "document" ? "Text (Markdown)" : "Prompt"}
          hint={
            type === "prompt"
              ? `Placeholders such as ${EXAMPLE_PLACEHOLDER} are filled in when the prompt is used.`
              : undefined
          }
          isMarkdown={type === "document"}
          value={value.content}
          onChange={(content) => edit({ content })}
        />
        {type === "document" && <Preview text={value.content} />}
      </div>
      {type === "prompt" && (
        <Variables
          content={value.content}
          value={value.variables}
          onChange={(variables) => edit({ variables })}
        />
      )}
      <div class="fields">
        <Field label="Tags" hint="Separated by commas">
          <TagsInput value={value.tags} onChange={(tags) => edit({ tags })} />
        </Field>
        <CollectionSelect
          label="Collection"
          none="None"
          value={value.collectionId}
          onChange={(collectionId) => edit({ collectionId })}
        />
      </div>
      <SaveBar
        subject={subject}
        isChanged={draft.isChanged}
        isSaving={isSending}
        problem={problem}
        restoredFrom={draft.restoredFrom}
        isElsewhere={draft.isElsewhere}
        save={`Save ${type}`}
        discard={draft.discard}
      />
    </form>
  );
}
