// Importing files and folders, by dropping or by choosing them, with the progress.

import { useState } from "preact/hooks";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { Field } from "../../parts/controls.tsx";
import { Problem } from "../../parts/page.tsx";
import { TagsInput } from "../../parts/tags-input.tsx";
import { parseTags, plural } from "../../text/format.ts";
import { filesOfDrop, filesOfInput, type Gathered } from "./import/gather.ts";
import type { ImportedFile } from "./import/run.ts";
import { importProblem, progress, startImport, stopImport } from "./import/running.ts";

/** Number of files that are listed although nothing is wrong with them. */
const MAX_OTHERS = 50;

const needsAttention = ({ status }: ImportedFile) => status === "failed" || status === "conflict";

export function FilesForm() {
  const [tags, setTags] = useState("");
  const [collectionId, setCollection] = useState("");
  const [force, setForce] = useState(false);
  const [isOver, setOver] = useState(false);
  const isRunning = progress.value?.isRunning ?? false;
  const run = (gathering: Promise<Gathered[]>) =>
    startImport(gathering, { tags: parseTags(tags), collectionId, force });
  const choose = (input: HTMLInputElement) => {
    if (input.files && input.files.length > 0) run(Promise.resolve(filesOfInput(input.files)));
    input.value = "";
  };

  return (
    <div class="editor">
      <div class="fields">
        <Field label="Tags" hint="Added to every file">
          <TagsInput value={tags} onChange={setTags} />
        </Field>
        <CollectionSelect label="Collection" none="None" value={collectionId} onChange={setCollection} />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={force}
          onChange={({ currentTarget: { checked } }) => setForce(checked)}
        />
        <span>Overwrite edits that were made here</span>
      </label>
      <section
        class={`drop ${isOver ? "over" : ""}`}
        aria-label="Files"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          if (event.dataTransfer && !isRunning) run(filesOfDrop(event.dataTransfer));
        }}
      >
        <p>
          Drop files or folders here: Markdown, text, web pages, PDF, Office files and more. Front matter
          supplies titles and tags.
        </p>
        <div class="actions">
          <Field label="Choose files">
            <input
              type="file"
              multiple
              disabled={isRunning}
              onChange={(event) => choose(event.currentTarget)}
            />
          </Field>
          <Field label="Choose a folder">
            <input
              type="file"
              ref={(input) => {
                if (input) input.webkitdirectory = true;
              }}
              disabled={isRunning}
              onChange={(event) => choose(event.currentTarget)}
            />
          </Field>
        </div>
      </section>
      <Problem text={importProblem.value} />
      {progress.value && <Report />}
    </div>
  );
}

function Report() {
  const { total = 0, outcomes = [], isRunning = false } = progress.value ?? {};
  const counts = Object.entries(Object.groupBy(outcomes, ({ status }) => status));
  const notable = outcomes.filter(needsAttention);
  const others = outcomes.filter((file) => !needsAttention(file)).slice(-MAX_OTHERS);
  return (
    <section aria-label="Import" data-state={isRunning ? "running" : "done"}>
      <p role="status">
        {outcomes.length} of {plural(total, "file")}
        {counts.length > 0 && `: ${counts.map(([status, list]) => `${list.length} ${status}`).join(", ")}`}
      </p>
      <progress aria-label="Imported files" max={total} value={outcomes.length} />
      {isRunning && (
        <button type="button" onClick={stopImport}>
          Stop
        </button>
      )}
      <ul class="plain jobs">
        {[...notable, ...others].map(({ path, status, id, kind, reason }) => (
          <li key={path}>
            <span class={`status ${status}`}>{status}</span>
            {id === undefined ? (
              <span dir="auto">{path}</span>
            ) : (
              <a href={`/console/${kind}s/${id}`} dir="auto">
                {path}
              </a>
            )}
            {reason !== undefined && <span class="quiet">{reason}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
