// The baseline of embedding, in its own process: the same weights in a bare ONNX session, without tokenizer and queue.
// It processes one message at a time. Usage: through openBareSession in bare-session-client.ts

import { InferenceSession, Tensor } from "onnxruntime-node";
import type { BareRequest } from "./bare-session-client.ts";

let session: InferenceSession | undefined;

/** Runs rows of equal length once and returns the duration of the run alone, in ms. */
async function run(rows: readonly (readonly number[])[]): Promise<number> {
  const shape = [rows.length, rows[0]!.length];
  const ids = BigInt64Array.from(rows.flat(), BigInt);
  const feeds = {
    input_ids: new Tensor("int64", ids, shape),
    attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), shape),
  };
  const startedAt = performance.now();
  await session!.run(feeds);
  return performance.now() - startedAt;
}

process.on("message", async (request: BareRequest) => {
  if (request.kind === "open") {
    session = await InferenceSession.create(request.weights, {
      executionProviders: ["cpu"],
      intraOpNumThreads: request.threads,
    });
    process.send!([]);
    return;
  }
  const durations: number[] = [];
  for (const rows of request.batches) durations.push(await run(rows));
  process.send!(durations);
});
