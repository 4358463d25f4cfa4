// The type of `import path from "./file.zip" with { type: "file" }`: a path that node:fs can read, also in the
// executable.

declare module "*.zip" {
  const path: string;
  export default path;
}
