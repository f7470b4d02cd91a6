import { deepStrictEqual } from "node:assert/strict";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Pair } from "../compare.ts";
import { createProject } from "../developers.ts";
import { fetchJson } from "../fetch-json.ts";
import type { Target } from "../measure.ts";
import type { StartServer } from "../server-process.ts";
import type { BaselineEnvInput } from "../servers/baseline-env.ts";
import type { PurserReady } from "../servers/purser.ts";
import { createSigner, roundRobin } from "../signer.ts";
import type { openStores, Stores } from "../stores.ts";
import { effectOf } from "./effect-of.ts";

const BASELINE_ENV = new URL("../servers/baseline-env.ts", import.meta.url);

const VARIABLES = 20;
const CALLERS = 16;

/**
 * Calls `open`, the `openStores` function of this checkout or of an earlier checkout. The opened stores are closed when
 * the scenario is closed.
 */
export type OpenStores = (open: typeof openStores) => Promise<Stores>;

const VALUES = Object.fromEntries(
  Array.from({ length: VARIABLES }, (_, index) => [
    `VARIABLE_${index + 1}`,
    `postgres://user:password-${index + 1}@example.com/bench`,
  ]),
);

/**
 * Starts a server from this checkout and a baseline that writes the same rows of the same database. With `before`, the
 * folder of an earlier checkout in which `npm ci` has run, also a server from that checkout with its own dependencies and
 * database.
 */
export async function startEnvPullPairs(
  start: StartServer,
  open: OpenStores,
  before: string | undefined,
): Promise<Pair[]> {
  const title = `GET /projects/{id}/env, ${VARIABLES} variables, ${CALLERS} callers`;
  const { stores, developer, path, target, origin } = await startServerWithProject(
    "this checkout",
    start,
    open,
    dirname(import.meta.dirname),
  );
  const config = stores.configFor("env-pull");
  const input: BaselineEnvInput = {
    developer,
    databaseUrl: config.databaseUrl,
    connectionsMax: config.databaseConnectionsMax.requests,
    values: VALUES,
  };
  const server = await start<{ origin: string }>(BASELINE_ENV, input);
  const baseline = { ...target, name: "baseline", process: server, origin: server.ready.origin };
  const signer = createSigner(developer);
  const pullFrom = (url: string) => effectOf(stores, () => fetchJson(url, path, signer("GET", path)));
  deepStrictEqual(await pullFrom(server.ready.origin), await pullFrom(origin));
  const pairs = [{ title: `${title} ÷ baseline (node:http, pg)`, goal: 0.6, candidate: target, baseline }];
  if (before === undefined) return pairs;
  const earlier = await startServerWithProject("earlier checkout", start, open, resolve(before, "bench/src"));
  return [
    ...pairs,
    {
      title: `${title} ÷ the earlier checkout`,
      goal: 1.5,
      candidate: target,
      baseline: earlier.target,
    },
  ];
}

/** Starts a server and creates one project. All measured requests pull the environment variables of this project. */
async function startServerWithProject(name: string, start: StartServer, open: OpenStores, folder: string) {
  const fileOf = (path: string) => pathToFileURL(join(folder, path));
  const storesModule: { readonly openStores: typeof openStores } = await import(fileOf("stores.ts").href);
  const stores = await open(storesModule.openStores);
  const config = { ...stores.configFor("env-pull"), claimsFile: null };
  const server = await start<PurserReady>(fileOf("servers/purser.ts"), config);
  const { origin } = server.ready;
  const signer = createSigner(server.ready);
  const project = await createProject(origin, signer);
  for (const [variable, value] of Object.entries(VALUES)) {
    const path = `${project}/variables/${variable}`;
    const body = JSON.stringify({ value });
    const headers = { ...signer("PUT", path, body), "content-type": "application/json" };
    await fetchJson(origin, path, headers, body, "PUT");
  }
  const path = `${project}/env`;
  const sent = roundRobin([{ signer, path }]);
  const target: Target = { name, process: server, origin, sent, connections: CALLERS };
  return { stores, developer: server.ready, path, target, origin };
}
