import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse as parseYaml } from "yaml";
import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { compileContract } from "./compile-contract.ts";
import { MISSING_PATHS } from "./missing-paths.ts";
import { NEWER_REQUESTS } from "./newer-requests.ts";
import { OUTDATED_FIELDS } from "./outdated-fields.ts";
import { isRecord, type JsonRecord, mapValues, memberOf } from "./records.ts";
import type { VendorContract } from "./vendor-contract.ts";

/** The default directory of the vendors' OpenAPI descriptions, which are stored next to this repository. */
const DEFAULT_DIR = fileURLToPath(new URL("../../../../shared/contracts/", import.meta.url));

type Described = Pick<VendorSimulator, "contractFile" | "contractPrefix" | "bodies">;

/** A directory of OpenAPI descriptions. */
export interface Contracts {
  /** Returns null if `contractFile` is null. Rejects if the file is missing or invalid. */
  contractOf(simulator: Described): Promise<VendorContract | null>;
}

/**
 * Opens a directory of vendors' OpenAPI descriptions, by default `VENDOR_CONTRACTS_DIR` or the directory next to the
 * repository. Returns null if the directory does not exist. Rejects if it is empty or unreadable: otherwise a run that
 * checks nothing would look like a run without errors.
 */
export async function openContracts(dir = defaultDir()): Promise<Contracts | null> {
  const names = await namesIn(dir);
  if (!names) return null;
  if (names.length === 0) throw new Error(`The directory ${dir} contains no OpenAPI descriptions.`);
  return { contractOf: (simulator) => contractOf(dir, simulator) };
}

const opened = new Map<string, Promise<Contracts | null>>();

/** Opens each directory once per process and caches its compiled descriptions, because compiling takes seconds. */
export async function openContractsOnce(dir = defaultDir()): Promise<Contracts | null> {
  const contracts = opened.get(dir) ?? openContracts(dir).then((fresh) => fresh && memoized(fresh));
  opened.set(dir, contracts);
  return contracts;
}

function memoized({ contractOf }: Contracts): Contracts {
  const compiled = new Map<string | null, Promise<VendorContract | null>>();
  return {
    contractOf: (simulator) => {
      const contract = compiled.get(simulator.contractFile) ?? contractOf(simulator);
      compiled.set(simulator.contractFile, contract);
      return contract;
    },
  };
}

function defaultDir(): string {
  // biome-ignore lint/style/noProcessEnv: this variable configures every process that runs simulators.
  return process.env["VENDOR_CONTRACTS_DIR"] ?? DEFAULT_DIR;
}

async function namesIn(dir: string): Promise<string[] | undefined> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function contractOf(dir: string, simulator: Described): Promise<VendorContract | null> {
  const { contractFile, contractPrefix, bodies } = simulator;
  if (contractFile === null) return null;
  const read = await readDescription(join(dir, contractFile));
  const described = memberOf(read, "paths");
  const missing = mapValues(MISSING_PATHS[contractFile] ?? {}, (methods, path) => ({
    ...memberOf(described, path),
    ...Object(methods),
  }));
  const paths = { ...described, ...missing };
  const description = { ...withoutOutdatedFields(read, contractFile), paths };
  const newer = await newerRequests(dir, contractFile);
  return compileContract(description, { prefix: contractPrefix, bodies, newer });
}

/** Returns the description in which responses need not have the fields of `OUTDATED_FIELDS`. */
function withoutOutdatedFields(description: JsonRecord, contractFile: string): JsonRecord {
  const outdated = OUTDATED_FIELDS[contractFile];
  if (outdated === undefined) return description;
  const components = memberOf(description, "components");
  const schemas = mapValues(memberOf(components, "schemas"), (schema, name) => {
    const fields = outdated[name];
    if (fields === undefined || !isRecord(schema) || !Array.isArray(schema["required"])) {
      return schema;
    }
    const required = schema["required"].filter((field) => !fields.includes(String(field)));
    return { ...schema, required };
  });
  return { ...description, components: { ...components, schemas } };
}

async function newerRequests(dir: string, contractFile: string) {
  const newer = NEWER_REQUESTS[contractFile];
  if (!newer) return undefined;
  const definitions = memberOf(await readJson(join(dir, newer.file)), "definitions");
  return { definitions: { ...definitions, ...newer.replacements }, bodies: newer.bodies };
}

async function readDescription(path: string): Promise<JsonRecord> {
  return path.endsWith(".yaml") ? parseYaml(await readFile(path, "utf8")) : readJson(path);
}

async function readJson(path: string): Promise<JsonRecord> {
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not JSON.`, { cause });
  }
}
