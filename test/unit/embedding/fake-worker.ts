// An embedding worker without a model: it replies at once with constant vectors.

import type { EmbeddingApi } from "../../../src/engine/embedding/worker.ts";
import { EMBEDDING_DIMENSION } from "../../../src/kernel/limits.ts";
import { serveRpc } from "../../../src/workers/rpc.ts";

declare const self: Worker;

const vector = () => new Float32Array(EMBEDDING_DIMENSION).fill(1 / Math.sqrt(EMBEDDING_DIMENSION));
const api: EmbeddingApi = {
  describe: async () => ({
    name: "constant",
    revision: "1",
    dimension: 384,
    directory: "/nowhere",
    calibration: {
      points: [
        [0, 0],
        [1, 1],
      ],
    },
  }),
  embedQuery: async () => ({ vector: vector() }),
  embedPassages: async ({ passages }) => ({ windows: passages.map(() => [vector()]), tokens: 0 }),
  stop: async () => null,
};

let serve: ReturnType<typeof serveRpc> | undefined;
self.onmessage = ({ data }: MessageEvent) => {
  // The first message contains role and options, which this worker does not need.
  if (serve) serve(data);
  else serve = serveRpc(api);
};
