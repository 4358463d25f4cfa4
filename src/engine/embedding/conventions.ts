// How a model of sentence-transformers makes one vector of a text: its folder says so in modules.json, 1_Pooling,
// config_sentence_transformers.json and sentence_bert_config.json. A folder without these files pools by the mean.

import { join } from "node:path";
import { readModelJson } from "../inference/compressed.ts";
import { type DenseLayer, readDenseLayer } from "./dense-layer.ts";
import { MAX_WINDOW_TOKENS } from "./windows.ts";

type Pooling = "mean" | "cls" | "last-token";

export interface Conventions {
  pooling: Pooling;
  /** Applied to the pooled vector in this order. */
  dense: readonly DenseLayer[];
  /** What comes before the text of a query, and of a stored passage. */
  prompts: { query: string; passage: string };
  /** Maximum number of tokens of a window. */
  maxTokens: number;
  /** Subtracted from a pooled vector of unit length; empty for nothing. */
  mean: readonly number[];
  /** Orthonormal directions that are taken out of it afterwards. */
  removed: readonly (readonly number[])[];
}

/** Reads a model's folder. Throws an Error that names what the program does not support. */
export async function readConventions(directory: string): Promise<Conventions> {
  const modules = await readModules(directory);
  const dense = modules.filter(({ type }) => type === "Dense");
  const pooling = modules.find(({ type }) => type === "Pooling")?.path ?? "1_Pooling";
  return {
    pooling: poolingOf(await readObject(directory, join(pooling, "config.json"))),
    dense: await Promise.all(dense.map(({ path }) => readDenseLayer(directory, path))),
    prompts: promptsOf(await readObject(directory, "config_sentence_transformers.json")),
    ...vectorsOf(
      await readObject(directory, "sentence_bert_config.json"),
      await readObject(directory, "vectors.json"),
    ),
  };
}

type Json = Record<string, unknown>;

async function readObject(directory: string, name: string): Promise<Json> {
  const content = (await readModelJson(directory, name)) ?? {};
  if (typeof content !== "object" || Array.isArray(content)) throw new Error(`${name} is not an object`);
  return content as Json;
}

/** Normalize changes no cosine: all vectors get length 1. */
const SUPPORTED = ["Transformer", "Pooling", "Dense", "Normalize"];

async function readModules(directory: string): Promise<{ type: string; path: string }[]> {
  const content = (await readModelJson(directory, "modules.json")) ?? [];
  if (!Array.isArray(content)) throw new Error("modules.json is not a list");
  return content.map((entry) => {
    const { type, path } = (entry ?? {}) as Json;
    const name = String(type).split(".").at(-1)!;
    if (!SUPPORTED.includes(name))
      throw new Error(`modules.json has a module that is not supported: ${name.slice(0, 100)}`);
    return { type: name, path: String(path ?? "") };
  });
}

const MODE = "pooling_mode_";
const POOLINGS: Record<string, Pooling> = {
  mean_tokens: "mean",
  cls_token: "cls",
  lasttoken: "last-token",
};

function poolingOf(config: Json): Pooling {
  const modes = Object.entries(config).flatMap(([name, value]) =>
    value === true && name.startsWith(MODE) ? [name.slice(MODE.length)] : [],
  );
  if (typeof config.pooling_mode === "string") modes.push(config.pooling_mode);
  if (modes.length === 0) return "mean";
  const pooling =
    modes.length === 1
      ? (POOLINGS[modes[0]!] ?? Object.values(POOLINGS).find((one) => one === modes[0]))
      : undefined;
  if (!pooling) throw new Error(`its pooling is not supported: ${modes.join(" and ").slice(0, 100)}`);
  return pooling;
}

function promptsOf({ prompts, default_prompt_name: byDefault }: Json): Conventions["prompts"] {
  const named = (prompts ?? {}) as Json;
  const first = (...names: unknown[]) =>
    names.flatMap((name) => (typeof name === "string" ? [named[name]] : [])).find(isText) ?? "";
  return { query: first("query", byDefault), passage: first("document", "passage", byDefault) };
}

const isText = (value: unknown): value is string => typeof value === "string";

/**
 * What `vectors.json`, a file of ours, says beyond the conventions. `mean` is the mean vector of texts about anything:
 * some models place all texts into a narrow cone, where cosines and sign bits hardly differ (Mu and Viswanath 2018,
 * "All-but-the-Top"). `removed` are the directions in which languages differ, whatever a text is about: with them, a
 * question is nearer to any text in its own language than to its answer in another (Yang et al. 2021, "A Simple and
 * Effective Method To Eliminate the Self Language Bias in Multilingual Representations"). `windowTokens` replaces
 * MAX_WINDOW_TOKENS.
 */
function vectorsOf(
  { max_seq_length: trained }: Json,
  { mean = [], removed = [], windowTokens = MAX_WINDOW_TOKENS }: Json,
): Pick<Conventions, "maxTokens" | "mean" | "removed"> {
  if (!isVector(mean)) throw new Error("the mean in vectors.json is not a list of numbers");
  if (!Array.isArray(removed) || !removed.every((one) => isVector(one) && one.length === mean.length))
    throw new Error("vectors.json removes what is not a list of vectors as long as its mean");
  const limits = [trained, windowTokens].filter((limit) => typeof limit === "number" && limit > 0);
  return { mean, removed, maxTokens: Math.min(...(limits as number[])) };
}

const isVector = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isFinite);
