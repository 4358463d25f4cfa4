// The labels of one version of a prompt: programs that ask for a label get the version that has it.

import { useState } from "preact/hooks";
import { messageOf, write } from "../../api/request.ts";
import { notify } from "../../frame/notices.tsx";

/** Labels that are offered before any is used. */
const USUAL = ["production", "staging"];

interface LabelsProps {
  promptId: string;
  versionId: string;
  version: number;
  /** The labels of this version, and those of all versions that are shown. */
  labels: readonly string[];
  known: readonly string[];
  reload(): void;
}

export function Labels({ promptId, versionId, version, labels, known, reload }: LabelsProps) {
  const [typed, setTyped] = useState("");
  const put = async (label: string, isOn: boolean) => {
    try {
      const body = { label, versionId: isOn ? versionId : null };
      await write("PUT", `/console/api/prompts/${promptId}/labels`, { body });
      notify(isOn ? `Version ${version} is now ${label}.` : `No version is ${label} any more.`);
      setTyped("");
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    reload();
  };
  return (
    <fieldset class="labels">
      <legend>Labels of version {version}</legend>
      {[...new Set([...USUAL, ...known])].map((label) => (
        <button
          key={label}
          type="button"
          class="small"
          aria-pressed={labels.includes(label)}
          onClick={() => put(label, !labels.includes(label))}
        >
          {label}
        </button>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          put(typed.trim(), true);
        }}
      >
        <input
          aria-label="Another label"
          placeholder="Another label"
          value={typed}
          maxLength={40}
          pattern="[a-z0-9][a-z0-9._\-]*"
          title="Lower-case letters, digits, dots, underscores and hyphens"
          required
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </form>
    </fieldset>
  );
}
