// Editing a prompt.

import { EXAMPLE_PLACEHOLDER } from "../../../kernel/placeholders.ts";
import type { Prompt, PromptUpdate } from "../../api/openapi.d.ts";
import { read, RequestError, send } from "../../api/request.ts";
import { Field } from "../../parts/controls.tsx";
import { type Editable, type Snapshot, useEditing } from "../../parts/editing.ts";
import { EditorForm } from "../../parts/editor-form.tsx";
import { TagsInput } from "../../parts/tags-input.tsx";
import { TextEditor } from "../../parts/text-editor.tsx";
import { parseTags } from "../../text/format.ts";
import { withLineEndsOf } from "../../text/line-ends.ts";
import { variablesFor, variablesText } from "../../text/variables.ts";
import { Variables } from "./variables.tsx";

/** What can be edited, as it is typed. */
interface Fields {
  title: string;
  description: string;
  content: string;
  /** Separated by commas. */
  tags: string;
  /** One a line; see variables.tsx. */
  variables: string;
}

const snapshotOf = (prompt: Prompt): Snapshot<Fields> => {
  const { title, description, content, tags, variables, updatedAt } = prompt;
  return {
    value: { title, description, content, tags: tags.join(", "), variables: variablesText(variables) },
    mark: String(updatedAt),
    changedAt: updatedAt,
  };
};

function editableOf({ id, title }: Prompt): Editable<Fields> {
  const path = `/v1/prompts/${id}`;
  return {
    subject: { kind: "prompt", id, title },
    mergedBy: { title: "whole", description: "whole", content: "lines", tags: "list", variables: "lines" },
    load: async () => snapshotOf(await read<Prompt>(path)),
    async save(typed, base, changeLog) {
      // Prompts have no preconditions in the API, so this finds a change that is not newer than this moment.
      const current = await read<Prompt>(path);
      if (snapshotOf(current).mark !== base.mark) throw new RequestError(412, "The prompt has changed.");
      const content = withLineEndsOf(base.value.content, typed.content);
      const isDescribed = typed.variables !== variablesText(current.variables);
      const update: PromptUpdate = {
        title: typed.title,
        description: typed.description,
        content,
        tags: parseTags(typed.tags),
        ...((content !== current.content || isDescribed) && {
          variables: variablesFor(content, typed.variables),
        }),
        ...(changeLog !== "" && { changeLog }),
      };
      await send("PATCH", path, { body: update });
    },
  };
}

interface PromptEditorProps {
  /** The prompt when editing started. */
  prompt: Prompt;
  done(): void;
}

export function PromptEditor({ prompt, done }: PromptEditorProps) {
  const editable = editableOf(prompt);
  const editing = useEditing(editable, snapshotOf(prompt), done);
  if (!editing) return null;
  const { value, edit } = editing;
  return (
    <EditorForm editable={editable} editing={editing}>
      <Field label="Title">
        <input
          required
          value={value.title}
          onInput={({ currentTarget }) => edit({ title: currentTarget.value })}
        />
      </Field>
      <Field label="Description">
        <input
          value={value.description}
          onInput={({ currentTarget }) => edit({ description: currentTarget.value })}
        />
      </Field>
      <TextEditor
        label="Prompt"
        hint={`Placeholders such as ${EXAMPLE_PLACEHOLDER} are filled in when the prompt is used.`}
        value={value.content}
        onChange={(content) => edit({ content })}
      />
      <Variables
        content={value.content}
        value={value.variables}
        onChange={(variables) => edit({ variables })}
      />
      <Field label="Tags" hint="Separated by commas">
        <TagsInput value={value.tags} onChange={(tags) => edit({ tags })} />
      </Field>
    </EditorForm>
  );
}
