// ctxrepo licenses: prints the licences of ctxrepo and of everything that the executable contains.

import { existsSync, readFileSync } from "node:fs";
import { Command } from "commander";
import { assetPath } from "../base/assets.ts";
import { Failure } from "../kernel/errors.ts";
import { withDataDir } from "./data-dir.ts";
import { print, printJson } from "./output.ts";

/** What the build knows about the components of an executable. */
export interface LicensesFile {
  components: {
    name: string;
    version: string;
    /** SPDX expression. */
    license: string;
    /** Package URL. */
    purl: string;
  }[];
  /** Their licences and notices. */
  text: string;
}

export function licensesCommand(): Command {
  return withDataDir(new Command("licenses"))
    .description("print the licences of all components of the executable")
    .option("--json", "print a JSON array with name, version, licence and package URL of each component")
    .action(({ json }: { json?: true }) => {
      const { components, text } = readLicenses();
      if (json) printJson(components);
      else print(text);
    });
}

function readLicenses(): LicensesFile {
  if (Bun.isStandaloneExecutable) {
    const compressed = readFileSync(assetPath("licenses/licenses.json.zst"));
    return JSON.parse(Bun.zstdDecompressSync(compressed).toString());
  }
  const built = assetPath("dist/licenses.json");
  if (existsSync(built)) return JSON.parse(readFileSync(built, "utf8"));
  throw new Failure("not-found", `${built} does not exist: bun run build writes it`);
}
