import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { preparePython } from "../service/test/python/python-packages.ts";

export const PYTHON_SDK = path.join(import.meta.dirname, "../sdk/python");
export const PYTHON_REQUIREMENTS = path.join(PYTHON_SDK, "requirements.txt");
/** With these environment variables, Python finds the SDK's sources. */
export const PYTHON_ENVIRONMENT = { PYTHONPATH: path.join(PYTHON_SDK, "src"), PYTHONDONTWRITEBYTECODE: "1" };

/** Returns the interpreter of an environment with the packages that the Python SDK and its checks need. */
export async function pythonOfSdk(): Promise<string> {
  const hash = createHash("sha256").update(readFileSync(PYTHON_REQUIREMENTS)).digest("hex").slice(0, 12);
  const requirements = new URL(`file://${PYTHON_REQUIREMENTS}`);
  const prepared = await preparePython({ name: `purser-sdk-${hash}`, requirements });
  if ("skipped" in prepared) throw new Error(prepared.skipped);
  return prepared.python;
}
