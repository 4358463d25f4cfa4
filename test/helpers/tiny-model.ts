// Writes small embedding models into folders, in the layout of sentence-transformers: each token has a row of a table,
// and the vector of a token is its row plus the mean of all rows of the text.

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** Lengths of the vectors before a Dense module. */
export const TINY_DIMENSION = 8;

/** The row of a token: numbers that differ from token to token. */
export const rowOf = (token: number): number[] =>
  Array.from({ length: TINY_DIMENSION }, (_, i) => Math.sin(1 + token * 1.7 + i * (1 + (token % 5))));

/** The vectors of the tokens of a window. */
export function tokenVectors(window: readonly number[]): number[][] {
  const rows = window.map(rowOf);
  const mean = rowOf(0).map((_, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length);
  return rows.map((row) => row.map((value, i) => value + mean[i]!));
}

/** Writes a model: the network for this many tokens, and the other files by name. */
export async function writeTinyModel(
  folder: string,
  tokens: number,
  files: Record<string, unknown>,
): Promise<void> {
  const weights = { "onnx/model_quantized.onnx": network(tokens) };
  for (const [name, content] of Object.entries({ ...files, ...weights })) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    await Bun.write(path, content instanceof Uint8Array ? content : JSON.stringify(content));
  }
}

/** A file of safetensors with float32 tensors. */
export function safetensors(tensors: Record<string, { shape: number[]; values: number[] }>): Uint8Array {
  let at = 0;
  const entries = Object.entries(tensors).map(([name, { shape, values }]) => {
    const from = at;
    at += 4 * values.length;
    return [name, { dtype: "F32", shape, data_offsets: [from, at] }];
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, floats(Object.values(tensors).flatMap(({ values }) => values))]);
}

/** Gather, ReduceMean and Add, as ONNX (github.com/onnx/onnx/blob/main/onnx/onnx.proto). */
function network(tokens: number): Uint8Array {
  const table = Array.from({ length: tokens }, (_, token) => rowOf(token)).flat();
  const graph = [
    message(1, [...node("Gather", ["table", "input_ids"], "rows")]),
    message(1, [
      ...node("ReduceMean", ["rows"], "mean"),
      message(5, [text(1, "axes"), number(8, 1), number(20, 7)]),
    ]),
    message(1, [...node("Add", ["rows", "mean"], "last_hidden_state")]),
    text(2, "tiny"),
    message(5, [
      number(1, tokens),
      number(1, TINY_DIMENSION),
      number(2, 1),
      text(8, "table"),
      bytes(9, floats(table)),
    ]),
    message(11, value("input_ids", 7, ["batch", "sequence"])),
    message(12, value("last_hidden_state", 1, ["batch", "sequence", TINY_DIMENSION])),
  ];
  return Buffer.concat([number(1, 8), message(7, graph), message(8, [text(1, ""), number(2, 13)])]);
}

const floats = (values: readonly number[]) => Buffer.from(Float32Array.from(values).buffer);

const node = (operator: string, inputs: string[], output: string) => [
  ...inputs.map((name) => text(1, name)),
  text(2, output),
  text(4, operator),
];

const value = (name: string, type: number, shape: (string | number)[]) => [
  text(1, name),
  message(2, [
    message(1, [
      number(1, type),
      message(
        2,
        shape.map((size) => message(1, [typeof size === "number" ? number(1, size) : text(2, size)])),
      ),
    ]),
  ]),
];

// Fields of protocol buffers (protobuf.dev/programming-guides/encoding).

function varint(value: number): Buffer {
  const parts: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) parts.push((rest % 128) | 128);
  return Buffer.from([...parts, rest]);
}

const number = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, value: Uint8Array) =>
  Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
const text = (field: number, value: string) => bytes(field, Buffer.from(value));
const message = (field: number, parts: readonly Uint8Array[]) => bytes(field, Buffer.concat(parts));
