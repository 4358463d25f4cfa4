// The shipped embedder in this process, in a thread of its own as in the program.

import { type Embedder, openEmbedder } from "../../src/engine/embedding/embedder.ts";
import { findModelDirectory } from "../../src/models.ts";

/** The caller closes it. */
export function openLocalEmbedder(): Embedder {
  return openEmbedder({ modelDirectory: findModelDirectory(null) });
}
