// The view of a document's versions.

import { may } from "../../api/session.ts";
import { Versions } from "../../parts/versions.tsx";
import { loadDocument, restoreDocument } from "./stored.ts";

export function DocumentVersionsView({ id }: { id: string }) {
  const restore = async (versionId: string) => {
    // The latest state: the person has just seen the list of its versions.
    await restoreDocument(await loadDocument(id), versionId);
  };
  return (
    <Versions
      href={`/console/documents/${id}`}
      path={`/v1/documents/${id}/versions`}
      restore={may("documents.write") ? restore : undefined}
    />
  );
}
