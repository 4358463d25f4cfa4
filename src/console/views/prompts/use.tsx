// Using a prompt: fill in its placeholders, copy it or run it, also two of its versions side by side.

import { useState } from "preact/hooks";
import { fill, placeholdersIn } from "../../../kernel/placeholders.ts";
import type { Prompt } from "../../api/openapi.d.ts";
import { user } from "../../api/session.ts";
import { keepValues, keptValues } from "../../frame/filled-values.ts";
import { here, setParameters } from "../../frame/location.ts";
import { CopyButton, Field } from "../../parts/controls.tsx";
import { usePages } from "../../parts/load.ts";
import { Problem } from "../../parts/page.tsx";
import { Source } from "../../parts/source.tsx";
import type { Version } from "../../parts/versions.tsx";
import { directionOf, plural } from "../../text/format.ts";
import { Result } from "./result.tsx";
import { useRun } from "./run.ts";

const CHARACTERS_PER_TOKEN = 4;
/** Whole texts are read, so a page is short. */
const VERSIONS = 20;

interface UsePromptProps {
  prompt: Prompt;
}

export function UsePrompt({ prompt }: UsePromptProps) {
  const { id, currentVersion } = prompt;
  const { searchParams } = here.value;
  const against = searchParams.get("against") ?? "";
  return against === "" ? (
    <One prompt={prompt} compare={currentVersion > 1 ? compare : undefined} />
  ) : (
    <Two prompt={prompt} key={id} numbers={[searchParams.get("version") ?? "", against]} />
  );

  function compare() {
    setParameters({ version: String(currentVersion), against: String(currentVersion - 1) });
  }
}

/** The current version. */
function One({ prompt, compare }: UsePromptProps & { compare: (() => void) | undefined }) {
  const { id, content } = prompt;
  const { fields, values, filled } = useValues(prompt, [content]);
  const { run, start, stop } = useRun(id);
  return (
    <article>
      {fields}
      <div class="actions">
        <CopyButton
          text={filled(content)}
          label={placeholdersIn(content).length > 0 ? "Copy with these values" : "Copy"}
        />
        <CopyButton text={curlFor(id)} label="Copy as curl" />
        <CopyButton text={mcpCallFor(id)} label="Copy as MCP call" />
        <Tokens text={filled(content)} />
      </div>
      <Source text={filled(content)} label="The prompt" />
      <div class="actions">
        <RunButtons isRunning={run?.state === "running"} start={() => start(values, undefined)} stop={stop} />
        {compare && (
          <button type="button" onClick={compare}>
            Compare versions
          </button>
        )}
      </div>
      {run && <Result run={run} label="Result" />}
    </article>
  );
}

/** Two versions with the same values. */
function Two({ prompt, numbers }: UsePromptProps & { numbers: readonly [string, string] }) {
  const { id } = prompt;
  const list = usePages<Version>(`/v1/prompts/${id}/versions`, { limit: VERSIONS });
  const versions = numbers.map((number) => list.items.find(({ version }) => String(version) === number));
  const { fields, values, filled } = useValues(
    prompt,
    versions.flatMap((version) => version?.content ?? []),
  );
  const runs = [useRun(id), useRun(id)];
  const start = () => {
    runs.forEach(({ start: startOne }, side) => {
      const version = versions[side];
      if (version) startOne(values, version.id);
    });
  };
  return (
    <article>
      {fields}
      <div class="actions">
        <RunButtons
          isRunning={runs.some(({ run }) => run?.state === "running")}
          start={start}
          stop={() => {
            for (const { stop } of runs) stop();
          }}
        />
        <button type="button" onClick={() => setParameters({ version: "", against: "" })}>
          Only the current version
        </button>
        {list.hasMore && (
          <button type="button" onClick={list.loadMore}>
            Older versions
          </button>
        )}
      </div>
      <Problem text={list.problem} retry={list.reload} />
      <div class="side-by-side sides">
        {versions.map((version, side) => {
          const { run } = runs[side]!;
          const name = side === 0 ? "version" : "against";
          return (
            <section key={name} aria-label={side === 0 ? "Left version" : "Right version"}>
              <div class="side-head">
                <select
                  aria-label={side === 0 ? "Version on the left" : "Version on the right"}
                  value={numbers[side]}
                  onChange={({ currentTarget: { value } }) => setParameters({ [name]: value })}
                >
                  {!version && <option value={numbers[side]}>version {numbers[side]}</option>}
                  {list.items.map(({ id: versionId, version: number, labels = [] }) => (
                    <option key={versionId} value={String(number)}>
                      version {number}
                      {labels.length > 0 && ` (${labels.join(", ")})`}
                    </option>
                  ))}
                </select>
                {version && <Tokens text={filled(version.content)} />}
              </div>
              {version && <Source text={filled(version.content)} label={`Version ${version.version}`} />}
              {run && <Result run={run} label={`Result of version ${numbers[side]}`} />}
            </section>
          );
        })}
      </div>
    </article>
  );
}

/** The values of the placeholders in these texts, with the fields to type them. */
function useValues({ id, variables }: Prompt, contents: readonly string[]) {
  // A map, because a placeholder may have the name of a member that every object has.
  const [values, setValues] = useState(() => keptValues(id));
  const names = [...new Set(contents.flatMap(placeholdersIn))];
  const typed = Object.fromEntries([...values].filter(([, value]) => value !== ""));
  const declared = (name: string) => variables.find((variable) => variable.name === name);
  const put = (name: string, value: string) => {
    const next = new Map(values).set(name, value);
    setValues(next);
    keepValues(id, next);
  };
  const fields = names.map((name) => (
    <Field key={name} label={name} hint={declared(name)?.description}>
      <Value
        type={declared(name)?.type ?? "string"}
        value={values.get(name) ?? ""}
        onChange={(value) => put(name, value)}
      />
    </Field>
  ));
  return {
    fields,
    /** Those that are typed. */
    values: new Map(Object.entries(typed).filter(([name]) => names.includes(name))),
    filled: (content: string) => fill(content, typed),
  };
}

interface RunButtonsProps {
  isRunning: boolean;
  start(): void;
  stop(): void;
}

/** Starts and stops a run; says what is missing if the server has no language model. */
function RunButtons({ isRunning, start, stop }: RunButtonsProps) {
  const model = user.value?.model ?? null;
  if (model === null) {
    return (
      <span class="quiet">
        To run prompts here, start the server with <code>--llm-url</code> and <code>--llm-model</code>.
      </span>
    );
  }
  return isRunning ? (
    <button type="button" onClick={stop}>
      Stop
    </button>
  ) : (
    <button type="button" class="primary" onClick={start}>
      Run with {model}
    </button>
  );
}

function Tokens({ text }: { text: string }) {
  return (
    <span class="quiet" title="At four characters a token; each model counts differently">
      about {plural(Math.ceil(text.length / CHARACTERS_PER_TOKEN), "token")}
    </span>
  );
}

interface ValueProps {
  type: Prompt["variables"][number]["type"];
  value: string;
  onChange(value: string): void;
}

/** The control for a value: a text, a number, or yes or no. */
function Value({ type, value, onChange }: ValueProps) {
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
