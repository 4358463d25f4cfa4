// Models of sentence-transformers: what their folders say about pooling, prompts, Dense modules and tokenizers.

import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Embedder, openEmbedder } from "../../../src/engine/embedding/embedder.ts";
import { loadModel } from "../../../src/engine/embedding/model.ts";
import { makeTempDir } from "../../helpers/start.ts";
import { safetensors, TINY_DIMENSION, tokenVectors, writeTinyModel } from "../../helpers/tiny-model.ts";
import { cosine } from "./vectors.ts";

const root = makeTempDir();
const opened: Embedder[] = [];
afterAll(async () => {
  await Promise.all(opened.map((embedder) => embedder.close()));
  rmSync(root, { recursive: true });
});

const unit = (vector: readonly number[]) => {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
};
const mean = (vectors: readonly number[][]) =>
  vectors[0]!.map((_, i) => vectors.reduce((sum, vector) => sum + vector[i]!, 0) / vectors.length);

/** The vectors of a query and of a passage as the model itself makes them. */
async function vectorsOf(folder: string, query: string, passage: string) {
  const model = await loadModel(folder, { kind: "native" });
  const of = (frame: typeof model.frames.query, text: string) =>
    model.embed([...frame.before, ...model.tokenize(text), ...frame.after]);
  return {
    query: await of(model.frames.query, query),
    passage: await of(model.frames.passage, passage),
    info: model.info,
  };
}

const template = (before: [string, number][], after: [string, number][]) => ({
  type: "TemplateProcessing",
  single: [
    ...before.map(([id]) => ({ SpecialToken: { id, type_id: 0 } })),
    { Sequence: { id: "A", type_id: 0 } },
    ...after.map(([id]) => ({ SpecialToken: { id, type_id: 0 } })),
  ],
  pair: [],
  special_tokens: Object.fromEntries(
    [...before, ...after].map(([id, token]) => [id, { id, ids: [token], tokens: [id] }]),
  ),
});
const special = (content: string, id: number) => ({
  id,
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
});

test("a WordPiece model with cls pooling", async () => {
  const folder = join(root, "word-piece");
  await writeTinyModel(folder, 7, {
    "config.json": { model_type: "bert", hidden_size: TINY_DIMENSION },
    "modules.json": [
      { type: "sentence_transformers.models.Transformer", path: "" },
      { type: "sentence_transformers.models.Pooling", path: "1_Pooling" },
      { type: "sentence_transformers.models.Normalize", path: "2_Normalize" },
    ],
    "1_Pooling/config.json": { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
    "tokenizer_config.json": { tokenizer_class: "BertTokenizer" },
    "tokenizer.json": {
      version: "1.0",
      added_tokens: ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(special),
      normalizer: { type: "BertNormalizer", lowercase: true, clean_text: true, handle_chinese_chars: true },
      pre_tokenizer: { type: "BertPreTokenizer" },
      post_processor: template([["[CLS]", 2]], [["[SEP]", 3]]),
      decoder: null,
      model: {
        type: "WordPiece",
        unk_token: "[UNK]",
        continuing_subword_prefix: "##",
        max_input_chars_per_word: 100,
        vocab: { "[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, a: 4, ket: 5, "##tle": 6 },
      },
    },
  });
  const { query, passage, info } = await vectorsOf(folder, "a", "a kettle");
  expect(cosine(query, unit(tokenVectors([2, 4, 3])[0]!))).toBeCloseTo(1, 5);
  expect(cosine(passage, unit(tokenVectors([2, 4, 5, 6, 3])[0]!))).toBeCloseTo(1, 5);
  expect(info.dimension).toBe(TINY_DIMENSION);
});

const unigramFiles = {
  "config.json": { model_type: "xlm-roberta", hidden_size: TINY_DIMENSION },
  "tokenizer_config.json": { tokenizer_class: "XLMRobertaTokenizer" },
  "tokenizer.json": {
    version: "1.0",
    added_tokens: [special("<s>", 0), special("</s>", 1)],
    normalizer: { type: "NFKC" },
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: [
        { type: "WhitespaceSplit" },
        { type: "Metaspace", replacement: "▁", prepend_scheme: "always" },
      ],
    },
    post_processor: template([["<s>", 0]], [["</s>", 1]]),
    decoder: null,
    model: {
      type: "Unigram",
      unk_id: 2,
      byte_fallback: false,
      vocab: [
        ["<s>", 0],
        ["</s>", 0],
        ["<unk>", 0],
        ["▁", -2],
        ["▁ask:", -3],
        ["▁text:", -3],
        ["▁ket", -4],
        ["tle", -4],
        ["▁kettle", -9],
        ["t", -5],
      ],
    },
  },
};

test("a unigram model with prompts and a Dense module", async () => {
  const folder = join(root, "unigram");
  const weights = Array.from({ length: 3 * TINY_DIMENSION }, (_, i) => Math.cos(i));
  const bias = [0.5, -0.25, 0.125];
  await writeTinyModel(folder, 10, {
    ...unigramFiles,
    "modules.json": [
      { type: "sentence_transformers.models.Transformer", path: "" },
      { type: "sentence_transformers.models.Pooling", path: "1_Pooling" },
      { type: "sentence_transformers.models.Dense", path: "2_Dense" },
    ],
    "1_Pooling/config.json": { pooling_mode_mean_tokens: true },
    "2_Dense/config.json": { activation_function: "torch.nn.modules.activation.Tanh" },
    "2_Dense/model.safetensors": safetensors({
      "linear.weight": { shape: [3, TINY_DIMENSION], values: weights },
      "linear.bias": { shape: [3], values: bias },
    }),
    "config_sentence_transformers.json": { prompts: { query: "ask: ", document: "text: " } },
  });
  const dense = (vector: readonly number[]) =>
    unit(
      bias.map((start, row) =>
        Math.tanh(
          start + vector.reduce((sum, value, i) => sum + value * weights[row * TINY_DIMENSION + i]!, 0),
        ),
      ),
    );
  const { query, passage, info } = await vectorsOf(folder, "kettle", "kettle");
  // "▁ket" and "tle" together are more probable than "▁kettle".
  expect(cosine(query, dense(mean(tokenVectors([0, 4, 6, 7, 1]))))).toBeCloseTo(1, 5);
  expect(cosine(passage, dense(mean(tokenVectors([0, 5, 6, 7, 1]))))).toBeCloseTo(1, 5);
  expect(info.dimension).toBe(3);
});

test("a byte-level BPE model without special tokens, pooled by its last token", async () => {
  const folder = join(root, "bpe");
  await writeTinyModel(folder, 8, {
    "config.json": { model_type: "qwen2", hidden_size: TINY_DIMENSION },
    "1_Pooling/config.json": { pooling_mode_lasttoken: true },
    "config_sentence_transformers.json": { prompts: { instruct: "b" }, default_prompt_name: "instruct" },
    "tokenizer_config.json": { tokenizer_class: "GPT2Tokenizer" },
    "tokenizer.json": {
      version: "1.0",
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
      post_processor: null,
      decoder: { type: "ByteLevel" },
      model: {
        type: "BPE",
        vocab: { a: 0, b: 1, c: 2, Ġ: 3, Ġc: 4, ab: 5 },
        merges: [
          ["Ġ", "c"],
          ["a", "b"],
        ],
      },
    },
  });
  const { passage } = await vectorsOf(folder, "ab", "ab c");
  // The default prompt "b", "ab" and "Ġc".
  expect(cosine(passage, unit(tokenVectors([1, 5, 4]).at(-1)!))).toBeCloseTo(1, 5);
});

test("the embedder of such a folder embeds queries and passages with their own prompts", async () => {
  const folder = join(root, "prompts");
  await writeTinyModel(folder, 10, {
    ...unigramFiles,
    "config_sentence_transformers.json": { prompts: { query: "ask: ", document: "text: " } },
  });
  const embedder = openEmbedder({ modelDirectory: folder, runtime: { kind: "native" }, maxAdditional: 0 });
  opened.push(embedder);
  const query = await embedder.embedQuery("kettle");
  const { windows } = await embedder.embedPassages([
    { context: "", text: "kettle" },
    { context: "t", text: "kettle" },
  ]);
  const expected = (window: number[], other: number[]) =>
    cosine(unit(mean(tokenVectors(window))), unit(mean(tokenVectors(other))));
  const [passage, withContext] = windows.map(([first]) => first!);
  expect(cosine(query, passage!)).toBeCloseTo(expected([0, 4, 6, 7, 1], [0, 5, 6, 7, 1]), 4);
  expect(cosine(query, withContext!)).toBeCloseTo(expected([0, 4, 6, 7, 1], [0, 5, 3, 9, 6, 7, 1]), 4);
});

test("vectors.json: a mean is subtracted, directions are taken out, and windows have another length", async () => {
  const folder = join(root, "vectors");
  const only = (at: number) => Array.from({ length: TINY_DIMENSION }, (_, i) => Number(i === at));
  const subtracted = only(0).map((value) => 0.25 * value);
  await writeTinyModel(folder, 10, {
    ...unigramFiles,
    "vectors.json": { mean: subtracted, removed: [only(2), only(5)], windowTokens: 40 },
  });
  const { query, info } = await vectorsOf(folder, "kettle", "kettle");
  const plain = unit(mean(tokenVectors([0, 6, 7, 1])));
  const expected = plain.map((value, i) => (i === 2 || i === 5 ? 0 : value - subtracted[i]!));
  expect(cosine(query, expected)).toBeCloseTo(1, 5);
  const model = await loadModel(folder, { kind: "native" });
  expect(model.frames.passage.maxTokens).toBe(40);
  await writeTinyModel(folder, 10, { ...unigramFiles, "vectors.json": {} });
  expect((await loadModel(folder, { kind: "native" })).info.revision).not.toBe(info.revision);
});

test.each([
  [
    "pooling that is not supported",
    { "1_Pooling/config.json": { pooling_mode_max_tokens: true } },
    "max_tokens",
  ],
  [
    "two kinds of pooling",
    { "1_Pooling/config.json": { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true } },
    "cls_token and mean_tokens",
  ],
  [
    "a module that is not supported",
    { "modules.json": [{ type: "sentence_transformers.models.LSTM", path: "1" }] },
    "LSTM",
  ],
  [
    "a direction of another length",
    { "vectors.json": { mean: [0, 0], removed: [[1]] } },
    "as long as its mean",
  ],
  ["a mean of another length", { "vectors.json": { mean: [0, 0] } }, "in vectors.json has another length"],
  [
    "a Dense module without weights",
    { "modules.json": [{ type: "Dense", path: "2_Dense" }] },
    "model.safetensors is missing",
  ],
])("%s is refused with its name", async (_, files, message) => {
  const folder = join(root, `refused-${message.length}`);
  await writeTinyModel(folder, 10, { ...unigramFiles, ...files });
  await expect(loadModel(folder, { kind: "native" })).rejects.toThrow(message);
});
