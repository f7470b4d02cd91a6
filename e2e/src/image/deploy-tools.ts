import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { preparePython } from "../../../service/test/python/python-packages.ts";

export const CHECKOUT = path.join(import.meta.dirname, "../../..");
const REQUIREMENTS = new URL("./requirements.txt", import.meta.url);

/** Returns the interpreter of an environment with the tools that check the files of a deployment. */
export async function deployPython(): Promise<string> {
  const hash = createHash("sha256").update(readFileSync(REQUIREMENTS)).digest("hex").slice(0, 12);
  const prepared = await preparePython({ name: `purser-deploy-${hash}`, requirements: REQUIREMENTS });
  if ("skipped" in prepared) throw new Error(prepared.skipped);
  return prepared.python;
}

export async function runPython(program: string, ...args: readonly string[]): Promise<string> {
  const options = { cwd: CHECKOUT, maxBuffer: 16 * 1024 * 1024 };
  return (await promisify(execFile)(await deployPython(), ["-c", program, ...args], options)).stdout;
}

export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Reads `compose.yaml` with the variables of a file `.env`. Throws if one that it requires is missing. */
export async function readCompose(envFile: string): Promise<Readonly<Record<string, ComposeService>>> {
  // The quoted texts of the file are JSON.
  const lines = [...readFileSync(envFile, "utf8").matchAll(/^(\w+)=(".*")$/gm)];
  const variables = new Map(lines.map(([, name = "", text = ""]) => [name, JSON.parse(text) as string]));
  const json = await runPython("import json, yaml; print(json.dumps(yaml.safe_load(open('compose.yaml'))))");
  return JSON.parse(json, (_, value) => {
    if (typeof value !== "string") return value;
    return value.replaceAll(/\$\{(\w+)(:\?|:-)?(.*?)\}/g, (_whole, name: string, operator, fallback: string) => {
      const found = variables.get(name) || (operator === ":-" ? fallback : undefined);
      if (found === undefined) throw new Error(`compose.yaml needs ${name}.`);
      return found;
    });
  }).services;
}
