// The type of `import path from "./file.wasm" with { type: "file" }`: a path that node:fs can read, also in the
// executable.

declare module "*.wasm" {
  const path: string;
  export default path;
}
