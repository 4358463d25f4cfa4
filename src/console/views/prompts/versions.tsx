// The view of a prompt's versions.

import type { Prompt } from "../../api/openapi.d.ts";
import { write } from "../../api/request.ts";
import { may } from "../../api/session.ts";
import { useRead } from "../../parts/load.ts";
import { Versions } from "../../parts/versions.tsx";
import { Labels } from "./labels.tsx";

export function PromptVersionsView({ id }: { id: string }) {
  const path = `/v1/prompts/${id}`;
  const { value: prompt, isLoading } = useRead<Prompt>(path);
  const restore = async (versionId: string) => {
    await write("POST", `${path}/restore`, { body: { versionId } });
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
      restore={may("prompts.write") ? restore : undefined}
    />
  );
}
