// The shipped embedder in this process, in a thread of its own as in the program.

import { type Embedder, openEmbedder } from "../../src/engine/embedding/embedder.ts";
import { findModelDirectory } from "../../src/models.ts";

const THREAD = new URL("../../src/thread.ts", import.meta.url).href;

/** The caller closes it. */
export function openLocalEmbedder(): Embedder {
  return openEmbedder(() => new Worker(THREAD), { modelDirectory: findModelDirectory(null) });
}
