// Clients that Python generators make from the OpenAPI document store, list, read and delete a document, and survive
// the plain-text 403 of a rejected User-Agent. Skipped without the generators: pip install openapi-python-client
// datamodel-code-generator ruff httpx attrs python-dateutil pydantic. The TypeScript client is checked by
// scripts/lint-openapi.ts.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram, type ServingProgram, serveProgram } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";

/** Its responses are parsed by models of the other generator, too. */
const SMOKE_TEST = `
import json, os, urllib.request
from ctx import AuthenticatedClient, Client
from ctx.api.documents import documents_create, documents_delete, documents_list
from ctx.models import DocumentCreate
import models

url, key = os.environ["URL"], os.environ["KEY"]
agent = {"User-Agent": "my-agent/1.0"}
client = AuthenticatedClient(base_url=url, token=key, prefix="API-Key", headers=agent)
new = DocumentCreate(title="Tea", content="Water boils.", tags=["a", "b"])
created = documents_create.sync(client=client, body=new)
listed = documents_list.sync(client=client, tags=["a", "b"])
print("listed", [document.id for document in listed.data] == [created.data.id])
request = urllib.request.Request(f"{url}/v1/documents/{created.data.id}", headers={"Authorization": f"API-Key {key}", **agent})
print("read", models.Document.model_validate(json.load(urllib.request.urlopen(request))["data"]).title)
print("deleted", int(documents_delete.sync_detailed(client=client, id=created.data.id).status_code))
rejected = documents_list.sync_detailed(client=Client(base_url=url))
print("rejected", int(rejected.status_code), rejected.parsed)
`;

const PYTHON = "python3";
const GENERATORS = ["openapi-python-client", "datamodel-codegen"];
const canRun = (program: string, ...args: string[]) => {
  try {
    return Bun.spawnSync([program, ...args], { stdout: "ignore", stderr: "ignore" }).success;
  } catch {
    return false;
  }
};
const isInstalled =
  GENERATORS.every((program) => canRun(program, "--help")) &&
  canRun(PYTHON, "-c", "import httpx, attrs, dateutil, pydantic");
if (!isInstalled) console.warn(`skipped: ${GENERATORS.join(" and ")} are not installed`);

let root: string;
let server: ServingProgram;
let key: string;
beforeAll(async () => {
  root = makeTempDir();
  if (!isInstalled) return;
  const dataDir = join(root, "data");
  server = await serveProgram(dataDir);
  key = JSON.parse((await runProgram(["keys", "create", "--json", "--data-dir", dataDir])).stdout).key;
});
afterAll(async () => {
  await server?.kill("SIGTERM");
  rmSync(root, { recursive: true, force: true });
});

test.skipIf(!isInstalled)(
  "generated Python clients work",
  async () => {
    const document = join(root, "openapi.json");
    await Bun.write(document, await (await fetch(`${server.url}/openapi.json`)).text());
    await Bun.write(join(root, "smoke.py"), SMOKE_TEST);
    const run = async (...command: string[]) => {
      const env = { ...process.env, URL: server.url, KEY: key };
      const child = Bun.spawn(command, { cwd: root, env, stdout: "pipe", stderr: "pipe" });
      const [output, errors] = [new Response(child.stdout).text(), new Response(child.stderr).text()];
      expect([await child.exited, await errors]).toEqual([0, expect.any(String)]);
      return output;
    };
    await run(
      "openapi-python-client",
      "generate",
      "--path",
      document,
      "--meta",
      "none",
      "--output-path",
      "ctx",
    );
    const types = ["--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel"];
    await run("datamodel-codegen", "--input", document, "--output", "models.py", ...types);
    expect((await run(PYTHON, "smoke.py")).trim().split("\n")).toEqual([
      "listed True",
      "read Tea",
      "deleted 200",
      "rejected 403 error code: 1010",
    ]);
  },
  180_000,
);
