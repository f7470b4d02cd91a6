import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Pair } from "../compare.ts";
import { createProject } from "../developers.ts";
import { fetchJson } from "../fetch-json.ts";
import type { Target } from "../measure.ts";
import type { StartServer } from "../server-process.ts";
import type { PurserReady } from "../servers/purser.ts";
import { createSigner, roundRobin } from "../signer.ts";
import type { openStores, Stores } from "../stores.ts";

const VARIABLES = 20;
const CALLERS = 16;

/**
 * Calls `open`, the `openStores` function of this checkout or of an earlier checkout. The opened stores are closed when
 * the scenario is closed.
 */
export type OpenStores = (open: typeof openStores) => Promise<Stores>;

/**
 * Starts a server from this checkout and one from an earlier checkout, each with its own dependencies and database.
 * `before` is the earlier checkout's folder, in which `npm ci` has run.
 */
export async function startEnvPullPair(
  start: StartServer,
  open: OpenStores,
  before: string,
): Promise<Pair> {
  return {
    title: `GET /projects/{id}/env, ${VARIABLES} variables, ${CALLERS} callers ÷ the earlier checkout`,
    goal: 1.5,
    candidate: await startServerWithProject("this checkout", start, open, import.meta.dirname),
    baseline: await startServerWithProject(
      "earlier checkout",
      start,
      open,
      resolve(before, "bench/src"),
    ),
  };
}

/** Starts a server and creates one project. All measured requests pull the environment variables of this project. */
async function startServerWithProject(
  name: string,
  start: StartServer,
  open: OpenStores,
  folder: string,
): Promise<Target> {
  const fileOf = (path: string) => pathToFileURL(join(folder, path));
  const storesModule: { readonly openStores: typeof openStores } = await import(
    fileOf("stores.ts").href
  );
  const stores = await open(storesModule.openStores);
  const config = { ...stores.configFor("env-pull"), claimsFile: null };
  const server = await start<PurserReady>(fileOf("servers/purser.ts"), config);
  const { origin } = server.ready;
  const signer = createSigner(server.ready);
  const project = await createProject(origin, signer);
  for (let number = 1; number <= VARIABLES; number += 1) {
    const path = `${project}/variables/VARIABLE_${number}`;
    const body = JSON.stringify({
      value: `postgres://user:password-${number}@example.com/bench`,
    });
    const headers = { ...signer("PUT", path, body), "content-type": "application/json" };
    await fetchJson(origin, path, headers, body, "PUT");
  }
  const sent = roundRobin([{ signer, path: `${project}/env` }]);
  return { name, process: server, origin, sent, connections: CALLERS };
}
