import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { preparePython } from "../../../service/test/python/python-packages.ts";
import { startConformanceContext, text } from "../conformance/context.ts";

const FOLDER = new URL("./python-client/", import.meta.url);
const DOCUMENT = new URL("../../../openapi/openapi.json", import.meta.url);

/**
 * Generates a Python client from the OpenAPI document with openapi-python-client. Starts Purser, creates a project with the
 * client, and returns what it prints: the newest project. Throws if the generator cannot read a schema.
 */
export async function runPythonClient(
  projectName: string,
): Promise<{ readonly output: string } | { readonly skipped: string }> {
  const prepared = await preparePython({
    name: "openapi-python-client-0.29.1",
    requirements: new URL("requirements.txt", FOLDER),
  });
  if ("skipped" in prepared) return prepared;
  const context = await startConformanceContext();
  const cwd = await mkdtemp(join(tmpdir(), "purser-python-client-"));
  try {
    const key = await context.live({ method: "POST", path: "/developers/me/keys", body: { name: "python" } });
    const script = fileURLToPath(new URL("create_project.py", FOLDER));
    const { stdout } = await promisify(execFile)(
      prepared.python,
      [script, context.baseUrl, fileURLToPath(DOCUMENT), projectName],
      { cwd, env: { ...process.env, API_KEY: text(key, "api_key"), API_SECRET: text(key, "api_secret") } },
    );
    return { output: stdout };
  } finally {
    await context.close();
    await rm(cwd, { recursive: true, force: true });
  }
}
