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
import { directionOf, plural } from "../../text/format.ts";
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
  const typeOf = (name: string) => variables.find((variable) => variable.name === name)?.type ?? "string";
  const put = (name: string, value: string) => {
    const next = new Map(values).set(name, value);
    setValues(next);
    keepValues(id, next);
  };
  return (
    <article>
      {names.map((name) => (
        <Field key={name} label={name} hint={hintOf(name)}>
          <Value type={typeOf(name)} value={values.get(name) ?? ""} onChange={(value) => put(name, value)} />
        </Field>
      ))}
      <div class="actions">
        <CopyButton text={filled} label={names.length > 0 ? "Copy with these values" : "Copy"} />
        <CopyButton text={curlFor(id)} label="Copy as curl" />
        <CopyButton text={mcpCallFor(id)} label="Copy as MCP call" />
        <span class="quiet" title="At four characters a token; each model counts differently">
          about {plural(Math.ceil(filled.length / CHARACTERS_PER_TOKEN), "token")}
        </span>
      </div>
      <Source text={filled} label="The prompt" />
    </article>
  );
}

const CHARACTERS_PER_TOKEN = 4;

/** The control for a value: a text, a number, or yes or no. */
function Value({
  type,
  value,
  onChange,
}: {
  type: Prompt["variables"][number]["type"];
  value: string;
  onChange(value: string): void;
}) {
  if (type === "boolean") {
    return (
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">Choose…</option>
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    );
  }
  if (type === "number") {
    return (
      <input
        type="number"
        step="any"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return (
    <textarea
      rows={2}
      dir={directionOf(value)}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** A command that reads the prompt from this server, with a key from the environment. */
const curlFor = (id: string) =>
  `curl -A my-agent/1.0 -H "Authorization: API-Key $CTXREPO_KEY" ${location.origin}/v1/prompts/${id}`;

/** The call of the MCP tool that reads the prompt, as JSON. */
const mcpCallFor = (id: string) =>
  JSON.stringify({ name: "read_prompt", arguments: { promptId: id } }, null, 2);
