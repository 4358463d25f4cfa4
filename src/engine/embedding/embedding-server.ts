// An embedder whose model runs in an OpenAI-compatible server, such as Ollama, LM Studio or llama.cpp. No redirects, a
// time limit, a maximum size of replies; what the server returns is checked. No message contains the key.

import { type Clock, systemClock } from "../../kernel/clock.ts";
import { Failure, messageOf } from "../../kernel/errors.ts";
import { sha256Hex } from "../../kernel/hash.ts";
import { EMBEDDING_DIMENSION } from "../../kernel/limits.ts";
import { cutUnits } from "../../kernel/text.ts";
import { toUnitLength } from "../../kernel/vectors.ts";
import type { Embedder } from "./embedder.ts";
import { createLift } from "./lift.ts";
import { createQueryCache } from "./query-cache.ts";
import { partsOfText } from "./text-parts.ts";

export interface EmbeddingServer {
  /** The base URL, such as `http://127.0.0.1:11434/v1`, or the whole URL of its embeddings. */
  url: string;
  model: string;
  key: string | null;
  /** Measures pauses and ages. */
  clock?: Clock;
}

const PATH = "/embeddings";
/** UTF-16 units of a text that is sent: about 500 tokens, which most models read. Longer passages have several. */
const MAX_TEXT_UNITS = 2_000;
const MAX_CONTEXT_UNITS = 200;
/** Texts in one request. */
const MAX_TEXTS = 32;
/** Of a reply, for each text: 1,536 numbers need about 35,000. They are read in the thread that serves requests. */
const MAX_REPLY_BYTES = 100_000;
const TIME_LIMIT_MS = 60_000;
/** The same of a query, for which somebody waits. */
const QUERY_TIME_LIMIT_MS = 10_000;
const MAX_QUERY_PAUSES = 2;
/** Pauses before a request is sent again: after no reply, status 429 and 5xx. */
const PAUSES_MS = [500, 2_000, 5_000];
/** After a failure, `state` sends a text as a probe when this time has passed. */
const PROBE_FAILED_MS = 5_000;

const DEGRADED =
  "semantic search is degraded: the embedding server cannot be used; ctxrepo doctor and the log say why";
const CLOSED = "the server is stopping";

/** Opens the client. Nothing is sent before the first call, which asks for the dimension of the vectors. */
export function openEmbeddingServer({ url, model, key, clock = systemClock }: EmbeddingServer): Embedder {
  const target = url.endsWith(PATH) ? url : `${url}${PATH}`;
  const closing = new AbortController();
  const queries = createQueryCache();
  let described: Promise<Described> | undefined;
  let failure: Failure | undefined;
  let isLoaded = false;
  let settledAt = clock.monotonic();
  let waitingCalls = 0;
  const done = { queries: 0, passages: 0, tokens: 0, busyMs: 0 };
  /** Resolves when no passages are embedded: one request at a time, so that queries need not wait for many. */
  let latest: Promise<unknown> = Promise.resolve();

  const post = (texts: readonly string[], limitMs: number) =>
    fetch(target, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "ctxrepo",
        ...(key !== null && { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, input: texts }),
      // The user configured one address: texts and key must not be sent to another one.
      redirect: "manual",
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(limitMs)]),
    });

  /** The vectors of the texts, as the server returns them. Sends the request again where that may help. */
  const request = async (texts: readonly string[], isQuery: boolean): Promise<Float32Array[]> => {
    for (let attempt = 0; ; attempt++) {
      const pause = isQuery && attempt >= MAX_QUERY_PAUSES ? undefined : PAUSES_MS[attempt];
      try {
        const response = await post(texts, isQuery ? QUERY_TIME_LIMIT_MS : TIME_LIMIT_MS);
        if (response.ok)
          return vectorsIn(await readBounded(response, texts.length * MAX_REPLY_BYTES), texts.length);
        await response.body?.cancel();
        const isFinal = response.status !== 429 && response.status < 500;
        if (isFinal || pause === undefined) throw new WrongReply(`it returned status ${response.status}`);
      } catch (error) {
        if (error instanceof WrongReply || pause === undefined || closing.signal.aborted) throw error;
      }
      await clock.sleep(pause, closing.signal);
    }
  };

  const ask = async (texts: readonly string[], isQuery = false): Promise<Float32Array[]> => {
    const startedAt = clock.monotonic();
    waitingCalls++;
    try {
      const vectors = await request(texts, isQuery);
      failure = undefined;
      isLoaded = true;
      return vectors;
    } catch (error) {
      const reason = `the embedding server at ${target} cannot be used: ${messageOf(error)}`;
      failure = new Failure("unavailable", reason, { cause: error, publicMessage: DEGRADED });
      throw failure;
    } finally {
      waitingCalls--;
      settledAt = clock.monotonic();
      done.busyMs += settledAt - startedAt;
    }
  };

  const findDimension = async (): Promise<Described> => {
    const [vector] = await ask(["dimension"]);
    const dimension = vector!.length;
    if (dimension > EMBEDDING_DIMENSION) {
      const reason = `${model} has ${dimension} dimensions: at most ${EMBEDDING_DIMENSION} can be stored`;
      failure = new Failure("unavailable", reason, { publicMessage: DEGRADED });
      throw failure;
    }
    const revision = `server:${sha256Hex(model).slice(0, 16)}:${dimension}`;
    return {
      info: { name: model, revision, dimension, directory: target, calibration: IDENTITY },
      lift: createLift(dimension),
    };
  };

  const describe = (): Promise<Described> => {
    described ??= findDimension().catch((error) => {
      described = undefined;
      throw error;
    });
    return described;
  };

  const embed = async (texts: readonly string[], isQuery = false): Promise<Float32Array[]> => {
    const { info, lift } = await describe();
    const vectors = await ask(texts, isQuery);
    if (vectors.some(({ length }) => length !== info.dimension)) {
      failure = new Failure("unavailable", `${model} returns vectors of other dimensions than before`, {
        publicMessage: DEGRADED,
      });
      throw failure;
    }
    return vectors.map((vector) => lift(toUnitLength(vector)));
  };

  const embedAll = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += MAX_TEXTS)
      vectors.push(...(await embed(texts.slice(from, from + MAX_TEXTS))));
    return vectors;
  };

  const problem = () => (closing.signal.aborted ? CLOSED : failure && DEGRADED);
  return {
    describe: async () => (await describe()).info,
    embedQuery: (text) =>
      queries.get(text, async () => {
        const [vector] = await embed([cutUnits(text, MAX_TEXT_UNITS)], true);
        done.queries++;
        return vector!;
      }),
    hasQuery: (text) => queries.has(text),
    async embedPassages(passages, lane = "patient") {
      const windows = passages.map(({ context, text }) => {
        const parts = partsOfText(text, Math.max(1, Math.ceil(text.length / MAX_TEXT_UNITS)));
        return parts.map((part) => `${cutUnits(context, MAX_CONTEXT_UNITS)}\n${part}`.trim() || " ");
      });
      const texts = windows.flat();
      const embedding = lane === "urgent" ? embedAll(texts) : latest.then(() => embedAll(texts));
      if (lane === "patient") latest = embedding.catch(() => {});
      const vectors = await embedding;
      const tokens = Math.round(texts.reduce((sum, { length }) => sum + length, 0) / UNITS_A_TOKEN);
      done.passages += passages.length;
      done.tokens += tokens;
      return { windows: windows.map(({ length }) => vectors.splice(0, length)), tokens };
    },
    state() {
      if (closing.signal.aborted) return "degraded";
      const isDue = failure ? clock.monotonic() - settledAt >= PROBE_FAILED_MS : !isLoaded;
      if (waitingCalls === 0 && isDue)
        describe()
          .then(() => ask(["probe"]))
          .catch(() => {});
      if (failure) return "degraded";
      return isLoaded ? "ok" : "loading";
    },
    problem,
    usage: () => ({ ...done, waitingCalls }),
    async close() {
      closing.abort(new Failure("unavailable", CLOSED));
      queries.clear();
      await latest;
    },
  };
}

interface Described {
  info: Awaited<ReturnType<Embedder["describe"]>>;
  lift: ReturnType<typeof createLift>;
}

/** A server says nothing about its tokens that all agree on. */
const UNITS_A_TOKEN = 4;

/** Cosines of a model that nothing is known of are scores as they are. */
const IDENTITY: Described["info"]["calibration"] = {
  points: [
    [0, 0],
    [1, 1],
  ],
};

/** A reply that another attempt would not change. */
class WrongReply extends Error {}

async function readBounded(response: Response, maximum: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maximum) throw new WrongReply(`its reply has more than ${maximum} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** The vectors of a reply in the order of their `index`. Throws WrongReply if one is missing or not of numbers. */
function vectorsIn(text: string, count: number): Float32Array[] {
  let data: unknown;
  try {
    data = (JSON.parse(text) as { data?: unknown } | null)?.data;
  } catch {
    throw new WrongReply("its reply is not JSON");
  }
  const entries = Array.isArray(data) ? (data as { index?: unknown; embedding?: unknown }[]) : [];
  const vectors: Float32Array[] = [];
  for (const [position, entry] of entries.entries()) {
    const { index = position, embedding } = entry ?? {};
    if (!Array.isArray(embedding) || embedding.length === 0 || !embedding.every(Number.isFinite)) break;
    if (Number.isInteger(index) && Number(index) >= 0 && Number(index) < count)
      vectors[Number(index)] = Float32Array.from(embedding as number[]);
  }
  for (let i = 0; i < count; i++)
    if (!vectors[i]) throw new WrongReply(`its reply does not contain a vector for each of ${count} texts`);
  return vectors;
}
