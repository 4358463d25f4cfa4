// A worker thread that asks /health again and again, so that the work of the clients does not count in its latencies.
// It gets the URL, and any second message ends it with its results.

export interface HealthResults {
  /** Latencies of the replies, ms. */
  latencies: number[];
  /** Replies that were not 200, and requests without a reply. */
  failures: number;
}

declare const self: Worker;

const PAUSE_MS = 10;
const results: HealthResults = { latencies: [], failures: 0 };
let isRunning = false;

self.onmessage = ({ data }: MessageEvent<string>) => {
  if (isRunning) self.postMessage(results);
  else void run(data);
};

async function run(url: string): Promise<void> {
  isRunning = true;
  // Opens the connection, which later requests use again.
  await fetch(`${url}/health`).catch(() => undefined);
  while (isRunning) {
    const startedAt = performance.now();
    const response = await fetch(`${url}/health`).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.status !== 200) results.failures++;
    results.latencies.push(performance.now() - startedAt);
    await Bun.sleep(PAUSE_MS);
  }
}
