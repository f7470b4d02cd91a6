import { randomUUID } from "node:crypto";
import { fetchJson } from "./fetch-json.ts";
import { PROJECTS_PATH } from "./paths.ts";
import type { StartServer } from "./server-process.ts";
import type { SeedInput, SeedReady } from "./servers/seed.ts";
import type { Developer } from "./servers/seed-developer.ts";
import { type Caller, createSigner, type Signer } from "./signer.ts";
import type { Stores } from "./stores.ts";

const SEED = new URL("./servers/seed.ts", import.meta.url);

/** Number of developers. Each has one API key, and the load cycles through the keys. */
export const DEVELOPERS = 1_000;

/** All developers have this password. */
export const PASSWORD = "tin whistle under glass";

const CONCURRENCY = 10;

/**
 * Creates the developers in a separate process. The measured server has therefore not cached them, and must read them
 * from the database.
 */
export async function seedDevelopers(start: StartServer, stores: Stores): Promise<readonly Developer[]> {
  const input: SeedInput = {
    config: stores.configFor("seed"),
    developers: DEVELOPERS,
    password: PASSWORD,
  };
  const { ready, stop } = await start<SeedReady>(SEED, input);
  await stop();
  return ready.developers;
}

/** Creates a project for each developer over HTTP. Returns the path of each project and a signer for its requests. */
export async function createProjects(origin: string, developers: readonly Developer[]): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (let first = 0; first < developers.length; first += CONCURRENCY) {
    const signers = developers.slice(first, first + CONCURRENCY).map(createSigner);
    const created = signers.map(async (signer) => ({
      signer,
      path: await createProject(origin, signer),
    }));
    callers.push(...(await Promise.all(created)));
  }
  return callers;
}

/** Creates a project for the signer's developer and returns its path. */
export async function createProject(origin: string, signer: Signer): Promise<string> {
  const name = `Bench ${randomUUID()}`;
  const body = JSON.stringify({ name, metadata: { purpose: "bench" } });
  const headers = { ...signer("POST", PROJECTS_PATH, body), "content-type": "application/json" };
  const project = await fetchJson(origin, PROJECTS_PATH, headers, body);
  return `${PROJECTS_PATH}/${project["project_id"]}`;
}
