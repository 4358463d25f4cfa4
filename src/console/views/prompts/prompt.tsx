// The view of one prompt: use it, or edit it.

import type { Prompt } from "../../api/openapi.d.ts";
import { may } from "../../api/session.ts";
import { deleteRecords } from "../../frame/deletions.ts";
import { go, here, setParameters } from "../../frame/location.ts";
import { Choice, Tags, Time } from "../../parts/controls.tsx";
import { changesOf, useRead } from "../../parts/load.ts";
import { Memberships } from "../../parts/memberships.tsx";
import { Page, Problem, Waiting } from "../../parts/page.tsx";
import { PinButton } from "../../parts/pins.tsx";
import { OrphanedDrafts } from "../drafts.tsx";
import { PromptEditor } from "./editor.tsx";
import { UsePrompt } from "./use.tsx";

export function PromptView({ id }: { id: string }) {
  const {
    value: prompt,
    problem,
    reload,
  } = useRead<Prompt>(`/v1/prompts/${id}`, { concerns: changesOf(["prompt"], id) });
  const isEditing = here.value.searchParams.get("view") === "edit" && may("prompts.write");
  const isComparing = here.value.searchParams.has("against");
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
        <div class={`columns ${isComparing ? "one" : "two"}`}>
          <UsePrompt prompt={prompt} />
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
      <PinButton record={{ id, type: "prompt" }} />
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
