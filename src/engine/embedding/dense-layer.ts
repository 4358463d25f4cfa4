// A Dense module of sentence-transformers: one linear layer after pooling, with its weights in model.safetensors
// (https://huggingface.co/docs/safetensors: the length of a JSON header, the header, the numbers).

import { join } from "node:path";
import { readModelFile, readModelJson } from "../inference/compressed.ts";

/** Returns the layer's output for its input, in a new array. */
export type DenseLayer = (input: Float32Array) => Float32Array;

const ACTIVATIONS: Record<string, ((value: number) => number) | undefined> = {
  Identity: (value) => value,
  Tanh: Math.tanh,
  ReLU: (value) => Math.max(0, value),
};

/** Reads the module in the folder `path` of a model. Throws an Error that states what is wrong with it. */
export async function readDenseLayer(directory: string, path: string): Promise<DenseLayer> {
  const config = ((await readModelJson(directory, join(path, "config.json"))) ?? {}) as Record<
    string,
    unknown
  >;
  const name = String(config.activation_function ?? "Identity")
    .split(".")
    .at(-1)!;
  const activation = ACTIVATIONS[name];
  if (!activation) throw new Error(`${path} has an activation that is not supported: ${name.slice(0, 100)}`);
  const file = await readModelFile(directory, join(path, "model.safetensors"));
  if (!file) throw new Error(`${join(path, "model.safetensors")} is missing`);
  const tensors = readTensors(file);
  const weight = tensors.get("linear.weight");
  const bias = tensors.get("linear.bias");
  const [rows, columns] = weight?.shape ?? [];
  const fits =
    weight &&
    rows &&
    columns &&
    rows * columns === weight.values.length &&
    (!bias || bias.values.length === rows);
  if (!fits)
    throw new Error(`${join(path, "model.safetensors")} does not contain linear.weight and linear.bias`);
  return (input) => {
    if (input.length !== columns) throw new Error(`${path} expects vectors of ${columns} numbers`);
    return Float32Array.from({ length: rows }, (_, row) => {
      let sum = bias?.values[row] ?? 0;
      for (let i = 0; i < columns; i++) sum += weight.values[row * columns + i]! * input[i]!;
      return activation(sum);
    });
  };
}

interface Tensor {
  shape: number[];
  values: Float32Array;
}

/** The tensors of float32, float16 and bfloat16 in a file, by name. Throws an Error if the file is malformed. */
function readTensors(file: Uint8Array): Map<string, Tensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  if (start > file.length) throw new Error("model.safetensors is cut off");
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start))) as Record<string, TensorEntry>;
  const tensors = new Map<string, Tensor>();
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(header)) {
    const type = NUMBER_TYPES[dtype];
    if (!type || !offsets) continue;
    const [from, to] = offsets;
    if (start + to > file.length) throw new Error("model.safetensors is cut off");
    const values = Float32Array.from({ length: (to - from) / type.bytes }, (_, i) =>
      type.read(view, start + from + i * type.bytes),
    );
    tensors.set(name, { shape, values });
  }
  return tensors;
}

interface TensorEntry {
  dtype: string;
  shape: number[];
  data_offsets?: [number, number];
}

interface NumberType {
  bytes: number;
  read(view: DataView, at: number): number;
}

/** The upper half of a float32. */
const BFLOAT = new DataView(new ArrayBuffer(4));

const NUMBER_TYPES: Record<string, NumberType | undefined> = {
  F32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  F16: { bytes: 2, read: (view, at) => view.getFloat16(at, true) },
  BF16: {
    bytes: 2,
    read(view, at) {
      BFLOAT.setUint16(0, view.getUint16(at, true));
      return BFLOAT.getFloat32(0);
    },
  },
};
