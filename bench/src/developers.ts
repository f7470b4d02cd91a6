import { randomUUID } from "node:crypto";
import { fetchJson } from "./fetch-json.ts";
import { PROJECTS_PATH } from "./paths.ts";
import type { StartServer } from "./server-process.ts";
import type { SeedInput, SeedReady } from "./servers/seed.ts";
import type { Developer } from "./servers/seed-developer.ts";
import { type Caller, createSigner, type Signer } from "./signer.ts";
import type { Stores } from "./stores.ts";

const SEED = new URL("./servers/seed.ts", import.meta.url);

/** As many keys as a load goes round, each of a developer of its own. */
export const DEVELOPERS = 1_000;

/** All of them have the same. */
export const PASSWORD = "tin whistle under glass";

const AT_ONCE = 10;

/** Makes the developers in a process that is gone afterwards: whatever serves them has to read them from the database. */
export async function seedDevelopers(
  start: StartServer,
  stores: Stores,
): Promise<readonly Developer[]> {
  const input: SeedInput = {
    config: stores.configFor("seed"),
    developers: DEVELOPERS,
    password: PASSWORD,
  };
  const { ready, stop } = await start<SeedReady>(SEED, input);
  await stop();
  return ready.developers;
}

/** Gives each developer a project through the server, and answers with who reads what. */
export async function createProjects(
  origin: string,
  developers: readonly Developer[],
): Promise<Caller[]> {
  const readers: Caller[] = [];
  for (let first = 0; first < developers.length; first += AT_ONCE) {
    const some = developers.slice(first, first + AT_ONCE).map(createSigner);
    const made = some.map(async (signer) => ({
      signer,
      path: await createProject(origin, signer),
    }));
    readers.push(...(await Promise.all(made)));
  }
  return readers;
}

/** A project of the signer's, and the path that reads it. */
export async function createProject(origin: string, signer: Signer): Promise<string> {
  const name = `Bench ${randomUUID()}`;
  const body = JSON.stringify({ name, metadata: { purpose: "bench" } });
  const headers = { ...signer("POST", PROJECTS_PATH, body), "content-type": "application/json" };
  const project = await fetchJson(origin, PROJECTS_PATH, headers, body);
  return `${PROJECTS_PATH}/${project["project_id"]}`;
}
