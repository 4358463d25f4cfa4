// The view of a document's versions.

import { may } from "../../api/session.ts";
import { useLoad } from "../../parts/load.ts";
import { Versions } from "../../parts/versions.tsx";
import { loadDocument, restoreDocument } from "./stored.ts";

export function DocumentVersionsView({ id }: { id: string }) {
  const { value: stored } = useLoad((signal) => loadDocument(id, signal), [id]);
  const restore = async (versionId: string) => {
    // The latest state: the person has just seen the list of its versions.
    await restoreDocument(await loadDocument(id), versionId);
  };
  return (
    <Versions
      href={`/console/documents/${id}`}
      path={`/v1/documents/${id}/versions`}
      title={stored?.document.title ?? "…"}
      restore={may("documents.write") ? restore : undefined}
    />
  );
}
