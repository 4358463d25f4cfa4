// Importing files and folders, by dropping or by choosing them, with the progress.

import { useRef, useState } from "preact/hooks";
import { messageOf } from "../../api/request.ts";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { Field } from "../../parts/controls.tsx";
import { Problem } from "../../parts/page.tsx";
import { parseTags, plural } from "../../text/format.ts";
import { filesOfDrop, filesOfInput, type Gathered, wanted } from "./import/gather.ts";
import { importFiles, type Outcome } from "./import/send.ts";

interface Progress {
  total: number;
  outcomes: Outcome[];
  isRunning: boolean;
}

export function FilesForm() {
  const [tags, setTags] = useState("");
  const [collectionId, setCollection] = useState("");
  const [progress, setProgress] = useState<Progress | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const [isOver, setOver] = useState(false);
  const controller = useRef<AbortController | undefined>(undefined);
  const isRunning = progress?.isRunning ?? false;

  const run = async (gathering: Promise<Gathered[]>) => {
    setProblem(undefined);
    controller.current = new AbortController();
    try {
      const files = await wanted(await gathering);
      if (files.length === 0) {
        setProblem("There are no Markdown, text or HTML files in what you have chosen.");
        return;
      }
      const outcomes: Outcome[] = [];
      setProgress({ total: files.length, outcomes, isRunning: true });
      const options = { tags: parseTags(tags), collectionId };
      for await (const outcome of importFiles(files, options, controller.current.signal)) {
        outcomes.push(outcome);
        setProgress({ total: files.length, outcomes, isRunning: true });
      }
      setProgress({ total: files.length, outcomes, isRunning: false });
    } catch (error) {
      setProblem(messageOf(error));
      setProgress((before) => before && { ...before, isRunning: false });
    }
  };
  const choose = (input: HTMLInputElement) => {
    if (input.files && input.files.length > 0) run(Promise.resolve(filesOfInput(input.files)));
    input.value = "";
  };

  return (
    <div class="editor">
      <div class="fields">
        <Field label="Tags" hint="Added to every file">
          <input value={tags} onInput={({ currentTarget: { value } }) => setTags(value)} />
        </Field>
        <CollectionSelect label="Collection" none="None" value={collectionId} onChange={setCollection} />
      </div>
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
        <p>Drop files or folders here: Markdown, text and HTML. Front matter supplies titles and tags.</p>
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
      <Problem text={problem} />
      {progress && <Report progress={progress} stop={() => controller.current?.abort()} />}
    </div>
  );
}

function Report({ progress, stop }: { progress: Progress; stop(): void }) {
  const { total, outcomes, isRunning } = progress;
  const counts = Object.entries(Object.groupBy(outcomes, ({ status }) => status));
  const notable = outcomes.filter(({ status }) => status === "failed" || status === "conflict");
  const done = outcomes.filter(({ status, id }) => id !== undefined && status !== "conflict").slice(-50);
  return (
    <section aria-label="Import">
      <p role="status">
        {outcomes.length} of {plural(total, "file")}
        {counts.length > 0 && `: ${counts.map(([status, list]) => `${list.length} ${status}`).join(", ")}`}
      </p>
      <progress aria-label="Imported files" max={total} value={outcomes.length} />
      {isRunning && (
        <button type="button" onClick={stop}>
          Stop
        </button>
      )}
      <ul class="plain jobs">
        {[...notable, ...done].map(({ path, status, id, type, reason }) => (
          <li key={path}>
            <span class={`status ${status}`}>{status}</span>
            {id === undefined ? <span>{path}</span> : <a href={`/console/${type}s/${id}`}>{path}</a>}
            {reason !== undefined && <span class="quiet">{reason}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
