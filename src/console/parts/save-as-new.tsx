// Stores a text that was typed for a record that no longer exists as a new record.

import { parseObject } from "../../kernel/json.ts";
import { messageOf, write } from "../api/request.ts";
import type { DraftSubject } from "../frame/drafts.ts";
import { go } from "../frame/location.ts";
import { notify } from "../frame/notices.tsx";
import { parseTags } from "../text/format.ts";
import { variablesFor } from "../text/variables.ts";
import { useSubmit } from "./submit.ts";

interface SaveAsNewProps {
  kind: DraftSubject["kind"];
  /** The fields of the editor. */
  value: Readonly<Record<string, string>>;
  saved(): void;
}

export function SaveAsNew({ kind, value, saved }: SaveAsNewProps) {
  const { isSending, submit } = useSubmit(async (key) => {
    try {
      const body = newRecord(kind, value);
      const { id } = await write<{ id: string }>("POST", `/v1/${kind}s`, {
        body,
        headers: { "Idempotency-Key": key },
      });
      saved();
      go(`/console/${kind}s/${id}`);
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
  }, value);
  return (
    <button type="button" disabled={isSending} onClick={submit}>
      Save as a new {kind}
    </button>
  );
}

/** The body that creates a record with the fields of an editor. */
export function newRecord(kind: DraftSubject["kind"], value: Readonly<Record<string, string>>): object {
  const { title = "", content = "", tags = "", description = "", metadata = "", collectionId = "" } = value;
  const shared = {
    title,
    content,
    tags: parseTags(tags),
    ...(collectionId !== "" && { collectionIds: [collectionId] }),
  };
  if (kind === "prompt") {
    const variables = variablesFor(content, value.variables ?? "");
    return { ...shared, description, variables };
  }
  return { ...shared, ...(metadata !== "" && { metadata: parseObject(metadata) ?? {} }) };
}
