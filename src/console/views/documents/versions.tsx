// The view of a document's versions.

import { may } from "../../api/session.ts";
import { Versions } from "../../parts/versions.tsx";
import { loadDocument, restoreDocument } from "./stored.ts";

export function DocumentVersionsView({ id }: { id: string }) {
  const restore = async (versionId: string) => {
    // The latest state: the person has just seen the list of its versions.
    await restoreDocument(await loadDocument(id), versionId);
  };
  return <Versions type="document" id={id} restore={may("documents.write") ? restore : undefined} />;
}
