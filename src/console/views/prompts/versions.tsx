// The view of a prompt's versions.

import type { Prompt } from "../../api/openapi.d.ts";
import { read, write } from "../../api/request.ts";
import { may } from "../../api/session.ts";
import { useLoad } from "../../parts/load.ts";
import { Versions } from "../../parts/versions.tsx";

export function PromptVersionsView({ id }: { id: string }) {
  const path = `/v1/prompts/${id}`;
  const { value: prompt, isLoading } = useLoad((signal) => read<Prompt>(path, { signal }), [id]);
  const restore = async (versionId: string) => {
    await write("POST", `${path}/restore`, { body: { versionId } });
  };
  return (
    <Versions
      href={`/console/prompts/${id}`}
      path={`${path}/versions`}
      title={prompt?.title ?? (isLoading ? undefined : "")}
      restore={may("prompts.write") ? restore : undefined}
    />
  );
}
