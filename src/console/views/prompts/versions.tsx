// The view of a prompt's versions.

import type { Prompt } from "../../api/openapi.d.ts";
import { read, RequestError, write } from "../../api/request.ts";
import { may } from "../../api/session.ts";
import { useRead } from "../../parts/load.ts";
import { type Restoring, Versions } from "../../parts/versions.tsx";
import { Labels } from "./labels.tsx";

export function PromptVersionsView({ id }: { id: string }) {
  const path = `/v1/prompts/${id}`;
  const { value: prompt, isLoading } = useRead<Prompt>(path);
  const restoring: Restoring = {
    async whole(versionId) {
      await write("POST", `${path}/restore`, { body: { versionId } });
    },
    async part(shown, content, changeLog) {
      // Prompts have no preconditions in the API.
      const { currentVersion } = await read<Prompt>(path);
      if (currentVersion !== shown.version) throw new RequestError(412, "The prompt has changed.");
      await write("PATCH", path, { body: { content, changeLog } });
    },
  };
  return (
    <Versions
      type="prompt"
      id={id}
      title={prompt?.title ?? (isLoading ? undefined : "")}
      more={(selected, all, reload) =>
        may("prompts.write") && (
          <Labels
            promptId={id}
            versionId={selected.id}
            version={selected.version}
            labels={selected.labels ?? []}
            known={all.flatMap(({ labels = [] }) => labels)}
            reload={reload}
          />
        )
      }
      restoring={may("prompts.write") ? restoring : undefined}
    />
  );
}
