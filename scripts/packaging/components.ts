// The components that an executable contains, with licences and their texts: Bun, native libraries, the models, and
// every npm package of which the bundle contains a file.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LicensesFile } from "../../src/cli/licenses.ts";
import type { Target } from "../targets.ts";

const ROOT = join(import.meta.dir, "../..");
const NOTICES = join(import.meta.dir, "notices");

export interface Component {
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
  /** Package URL. */
  purl: string;
  /** Texts of licence and notices; undefined if the package contains none and notices/ has none either. */
  text: string | undefined;
  isModel?: true;
}

interface PackageJson {
  name: string;
  version: string;
  license: string;
  devDependencies?: Record<string, string>;
}

/** The files of a package that contain its licence. */
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/** For packages without such a file: files of notices/. */
const NOTICE_OF: Record<string, string[]> = {
  "drizzle-orm": ["apache-2.0.txt"],
  "onnxruntime-common": ["onnxruntime.txt"],
  "onnxruntime-node": ["onnxruntime.txt"],
  "onnxruntime-web": ["onnxruntime.txt"],
};

/**
 * The components of an executable whose bundle contains these files (relative to the repository), sorted by name and
 * version.
 */
export function componentsOf({ natives }: Target, bundledFiles: readonly string[]): Component[] {
  const folders = new Set(bundledFiles.flatMap((file) => packageFolder(file.replaceAll("\\", "/")) ?? []));
  const packages = [...folders].map(packageComponent);
  if (packages.some(({ name }) => name === "unpdf")) packages.push(pdfJs(), cMaps());
  const components = [
    bun(),
    embeddingModel(),
    multilingualModel(),
    readingModel(),
    ...(natives.vec0.length > 0 ? [sqliteVec()] : []),
    ...packages,
  ];
  const byPurl = new Map(components.map((component) => [component.purl, component]));
  return [...byPurl.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
}

/** What `ctxrepo licenses` prints. */
export function licensesFile(components: readonly Component[]): LicensesFile {
  return {
    components: components.map(({ name, version, license, purl }) => ({ name, version, license, purl })),
    text: thirdPartyLicenses(components),
  };
}

/** The texts of all components, each text once. Components without a text are listed with their licence only. */
export function thirdPartyLicenses(components: readonly Component[]): string {
  const byText = Map.groupBy(
    components,
    ({ text }) => text?.trim() ?? "The package contains no licence text.",
  );
  const sections = [...byText].map(([text, using]) => {
    const heading = using.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${"=".repeat(80)}\n${heading.join("\n")}\n${"=".repeat(80)}\n\n${text}\n`;
  });
  const introduction =
    "ctxrepo is MIT-licensed. Its executable contains the following components of others.\n";
  return [introduction, ...sections].join("\n");
}

/** The folder of the innermost package that contains a file. */
function packageFolder(file: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function packageComponent(folder: string): Component {
  const path = join(ROOT, folder);
  const { name, version, license } = readJson(join(path, "package.json"));
  const files = readdirSync(path).filter((file) => LICENSE_FILE.test(file));
  const texts = files.sort().map((file) => readFileSync(join(path, file), "utf8"));
  const text = texts.join("\n") || notices(NOTICE_OF[name] ?? []) || licenseInReadme(path);
  return { name, version, license, purl: npmUrl(name, version), text };
}

/** The section "License" of a package's README. */
function licenseInReadme(folder: string): string | undefined {
  const readme = join(folder, "README.md");
  if (!existsSync(readme)) return undefined;
  return /^#+ licen[cs]e\s*\n([\s\S]*Permission is hereby granted[\s\S]*)/im.exec(
    readFileSync(readme, "utf8"),
  )?.[1];
}

function bun(): Component {
  const license = "MIT AND LGPL-2.0-only AND LGPL-2.1-only";
  const text = notices(["bun.txt", "lgpl-2.txt", "lgpl-2.1.txt"]);
  return { name: "bun", version: Bun.version, license, purl: npmUrl("bun", Bun.version), text };
}

function sqliteVec(): Component {
  const { name, version } = readJson(join(ROOT, "node_modules/sqlite-vec/package.json"));
  const license = "MIT OR Apache-2.0";
  return { name, version, license, purl: npmUrl(name, version), text: notices(["sqlite-vec.txt"]) };
}

/** unpdf contains a build of it. */
function pdfJs(): Component {
  const { devDependencies } = readJson(join(ROOT, "node_modules/unpdf/package.json"));
  const [version = ""] = /\d+\.\d+\.\d+/.exec(devDependencies?.["pdfjs-dist"] ?? "") ?? [];
  const text = notices(["apache-2.0.txt"]);
  return { name: "pdfjs-dist", version, license: "Apache-2.0", purl: npmUrl("pdfjs-dist", version), text };
}

/** The tables of characters beside the reader of PDF files, from pdfjs-dist. */
function cMaps(): Component {
  const version = "6.5.438";
  const text = notices(["cmap-resources.txt"]);
  const purl = `${npmUrl("pdfjs-dist", version)}#cmaps`;
  return { name: "cmap-resources", version, license: "BSD-3-Clause", purl, text };
}

function embeddingModel(): Component {
  const name = "all-MiniLM-L6-v2";
  const digest = digestOfWeights(name);
  return model(name, digest, `pkg:huggingface/sentence-transformers/${name}@${digest}`);
}

function multilingualModel(): Component {
  const name = "multilingual-e5-small";
  const digest = digestOfWeights(name);
  const purl = `pkg:huggingface/intfloat/${name}@${digest}`;
  return { ...model(name, digest, purl), license: "MIT", text: notices([`${name}.txt`]) };
}

/** Made from the embedding model for ctxrepo, and under the same licence. */
function readingModel(): Component {
  const name = "passage-reader";
  const digest = digestOfWeights(name);
  return model(name, digest, `pkg:generic/${name}@${digest}`);
}

function model(name: string, digest: string, purl: string): Component {
  const text = notices(["apache-2.0.txt"]);
  return { name, version: digest.slice(0, 12), license: "Apache-2.0", purl, text, isModel: true };
}

function digestOfWeights(name: string): string {
  const sums = readFileSync(join(ROOT, "models", name, "SHA256SUMS"), "utf8");
  return /^\S+(?= {2}onnx\/)/m.exec(sums)?.[0] ?? "";
}

function notices(files: readonly string[]): string | undefined {
  return files.map((file) => readFileSync(join(NOTICES, file), "utf8")).join("\n\n") || undefined;
}

function npmUrl(name: string, version: string): string {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
}

function readJson(path: string): PackageJson {
  if (!existsSync(path)) throw new Error(`${dirname(path)} is not installed`);
  return JSON.parse(readFileSync(path, "utf8"));
}
