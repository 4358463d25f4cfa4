// The view of one prompt: fill in its placeholders and copy it, or edit it.

import { useState } from "preact/hooks";
import type { Prompt } from "../../api/openapi.d.ts";
import { may } from "../../api/session.ts";
import { deleteRecords } from "../../frame/deletions.ts";
import { keepValues, keptValues } from "../../frame/filled-values.ts";
import { go, here, setParameters } from "../../frame/location.ts";
import { Choice, CopyButton, Field, Tags, Time } from "../../parts/controls.tsx";
import { changesOf, useRead } from "../../parts/load.ts";
import { Memberships } from "../../parts/memberships.tsx";
import { Page, Problem, Waiting } from "../../parts/page.tsx";
import { Source } from "../../parts/source.tsx";
import { directionOf } from "../../text/format.ts";
import { fill, placeholdersIn } from "../../../kernel/placeholders.ts";
import { OrphanedDrafts } from "../drafts.tsx";
import { PromptEditor } from "./editor.tsx";

export function PromptView({ id }: { id: string }) {
  const {
    value: prompt,
    problem,
    reload,
  } = useRead<Prompt>(`/v1/prompts/${id}`, { concerns: changesOf(["prompt"], id) });
  const isEditing = here.value.searchParams.get("view") === "edit" && may("prompts.write");
  if (!prompt) {
    return (
      <Page title="Prompt">
        <Problem text={problem} retry={reload} />
        {problem !== undefined && <OrphanedDrafts kind="prompt" id={id} />}
        {problem === undefined ? <Waiting /> : <a href="/console/prompts">All prompts</a>}
      </Page>
    );
  }
  return (
    <Page title={prompt.title} actions={!isEditing && <Actions prompt={prompt} />}>
      <p dir="auto">{prompt.description}</p>
      <div class="facts">
        <span>version {prompt.currentVersion}</span>
        <span>
          changed <Time at={prompt.updatedAt} />
        </span>
        {prompt.isPublic && <span class="status">public</span>}
        <Tags tags={prompt.tags} base="/console/prompts" />
      </div>
      {may("prompts.write") && (
        <Choice
          label="View"
          options={[
            ["use", "Use"],
            ["edit", "Edit"],
          ]}
          value={isEditing ? "edit" : "use"}
          onChange={(view) => setParameters({ view: view === "edit" ? "edit" : "" })}
        />
      )}
      {isEditing ? (
        <PromptEditor
          prompt={prompt}
          done={() => {
            setParameters({ view: "" });
            reload();
          }}
        />
      ) : (
        <div class="columns two">
          <Filled prompt={prompt} />
          <aside class="details" aria-label="Details">
            {may("documents.read") && <Memberships id={prompt.id} type="prompt" />}
          </aside>
        </div>
      )}
    </Page>
  );
}

function Actions({ prompt: { id, title } }: { prompt: Prompt }) {
  return (
    <>
      <a class="button" href={`/console/prompts/${id}/versions`}>
        Versions
      </a>
      {may("prompts.write") && (
        <button
          type="button"
          class="danger"
          onClick={() => {
            deleteRecords({ type: "prompt", ids: [id], label: `“${title}”` });
            go("/console/prompts");
          }}
        >
          Delete
        </button>
      )}
    </>
  );
}

/** The prompt with the values that are typed for its placeholders. */
function Filled({ prompt: { id, content, variables } }: { prompt: Prompt }) {
  // A map, because a placeholder may have the name of a member that every object has.
  const [values, setValues] = useState(() => keptValues(id));
  const names = placeholdersIn(content);
  const typed = [...values].filter(([, value]) => value !== "");
  const filled = fill(content, Object.fromEntries(typed));
  const hintOf = (name: string) => variables.find((variable) => variable.name === name)?.description;
  return (
    <article>
      {names.map((name) => (
        <Field key={name} label={name} hint={hintOf(name)}>
          <textarea
            rows={2}
            dir={directionOf(values.get(name) ?? "")}
            value={values.get(name) ?? ""}
            onInput={({ currentTarget: { value } }) => {
              const next = new Map(values).set(name, value);
              setValues(next);
              keepValues(id, next);
            }}
          />
        </Field>
      ))}
      <div class="actions">
        <CopyButton text={filled} label={names.length > 0 ? "Copy with these values" : "Copy"} />
      </div>
      <Source text={filled} label="The prompt" />
    </article>
  );
}
