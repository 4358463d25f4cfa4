// Assembles src/retrieval/vectors/hamming-kernel.wat into the committed hamming-kernel.wasm. Run it with `bun run
// kernel` after a change of the source; a test compares the two files.

import { join } from "node:path";
import openWabt from "wabt";

const FOLDER = join(import.meta.dir, "..", "src", "retrieval", "vectors");
const SOURCE = join(FOLDER, "hamming-kernel.wat");
export const KERNEL_PATH = join(FOLDER, "hamming-kernel.wasm");

/** The bytes of the module in hamming-kernel.wat. Throws with line and column when it is not valid WebAssembly. */
export async function assembleKernel(): Promise<Uint8Array> {
  const wabt = await openWabt();
  const module = wabt.parseWat(SOURCE, await Bun.file(SOURCE).text());
  try {
    module.validate();
    return module.toBinary({}).buffer;
  } finally {
    module.destroy();
  }
}

if (import.meta.main) {
  const bytes = await assembleKernel();
  await Bun.write(KERNEL_PATH, bytes);
  console.log(`${KERNEL_PATH}: ${bytes.length} bytes`);
}
