// Editing a prompt. What is typed is kept in the browser until it is saved.

import { useState } from "preact/hooks";
import type { Prompt, PromptUpdate } from "../../api/openapi.d.ts";
import { messageOf, read, send } from "../../api/request.ts";
import { notify } from "../../frame/notices.tsx";
import { Conflict } from "../../parts/conflict.tsx";
import { Field } from "../../parts/controls.tsx";
import { EditorForm, useDraft } from "../../parts/editor-form.tsx";
import { parseTags } from "../../text/format.ts";
import { EXAMPLE_PLACEHOLDER, placeholdersIn } from "../../../kernel/placeholders.ts";

interface Draft {
  title: string;
  changeLog: string;
  description: string;
  content: string;
  tags: string;
  /** When the prompt that it was made from was changed, epoch ms. */
  from: number;
}

const draftOf = ({ title, description, content, tags, updatedAt }: Prompt): Draft => ({
  title,
  changeLog: "",
  description,
  content,
  tags: tags.join(", "),
  from: updatedAt,
});

interface PromptEditorProps {
  prompt: Prompt;
  done(): void;
}

export function PromptEditor({ prompt, done }: PromptEditorProps) {
  const path = `/v1/prompts/${prompt.id}`;
  const { value: draft, edit, forget, restoredFrom } = useDraft(`prompt ${prompt.id}`, draftOf(prompt));
  const [theirs, setTheirs] = useState<Prompt | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const [isSaving, setSaving] = useState(false);

  const discard = () => {
    forget();
    done();
  };
  const save = async (from: number) => {
    setProblem(undefined);
    setSaving(true);
    try {
      // Prompts have no preconditions in the API, so this finds a change that is not newer than this moment.
      const current = await read<Prompt>(path);
      if (current.updatedAt !== from) {
        setTheirs(current);
        setSaving(false);
        return;
      }
      const { title, description, content, tags, changeLog } = draft;
      const declared = new Map(prompt.variables.map((variable) => [variable.name, variable]));
      const update: PromptUpdate = {
        title,
        description,
        content,
        tags: parseTags(tags),
        ...(content !== current.content && {
          variables: placeholdersIn(content).map(
            (variable) => declared.get(variable) ?? { name: variable, type: "string" as const },
          ),
        }),
        ...(changeLog !== "" && { changeLog }),
      };
      await send("PATCH", path, { body: update });
      notify("Saved.");
      discard();
    } catch (error) {
      setProblem(messageOf(error));
    }
    setSaving(false);
  };

  if (theirs) {
    return (
      <Conflict
        noun="prompt"
        mine={draft}
        theirs={{ title: theirs.title, content: theirs.content, changedAt: theirs.updatedAt }}
        keepMine={() => {
          setTheirs(undefined);
          save(theirs.updatedAt);
        }}
        takeTheirs={discard}
        edit={() => {
          edit({ from: theirs.updatedAt });
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
      save={() => save(draft.from)}
      discard={discard}
    >
      <Field label="Title">
        <input
          required
          value={draft.title}
          onInput={({ currentTarget: { value } }) => edit({ title: value })}
        />
      </Field>
      <Field label="Description">
        <input
          value={draft.description}
          onInput={({ currentTarget: { value } }) => edit({ description: value })}
        />
      </Field>
      <Field
        label="Prompt"
        hint={`Placeholders such as ${EXAMPLE_PLACEHOLDER} are filled in when the prompt is used.`}
      >
        <textarea
          required
          rows={18}
          dir="auto"
          value={draft.content}
          onInput={({ currentTarget: { value } }) => edit({ content: value })}
        />
      </Field>
      <Field label="Tags" hint="Separated by commas">
        <input value={draft.tags} onInput={({ currentTarget: { value } }) => edit({ tags: value })} />
      </Field>
    </EditorForm>
  );
}
