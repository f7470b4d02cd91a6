import { createProjects, PASSWORD } from "./developers.ts";
import { fetchJson } from "./fetch-json.ts";
import { LOGIN_PATH } from "./paths.ts";
import type { ServerProcess, StartServer } from "./server-process.ts";
import type { PurserReady } from "./servers/purser.ts";
import type { Developer } from "./servers/seed-developer.ts";
import { inTurn, type NextRequest } from "./signer.ts";
import type { Stores } from "./stores.ts";

const PURSER = new URL("./servers/purser.ts", import.meta.url);

const LOGINS_AT_ONCE = 8;

export interface LoginScenario {
  readonly process: Pick<ServerProcess<unknown>, "cpuMicros">;
  readonly origin: string;
  /** Signed GETs of many keys, each of which takes one select. */
  readonly signed: NextRequest;
  /** Each logs somebody else in, with the right password. */
  readonly logins: readonly (() => Promise<unknown>)[];
}

export async function startLoginScenario(
  start: StartServer,
  stores: Stores,
  developers: readonly Developer[],
): Promise<LoginScenario> {
  const server = await start<PurserReady>(PURSER, stores.configFor("logins"));
  const { origin } = server.ready;
  const logins = developers.slice(0, LOGINS_AT_ONCE).map(({ email }) => {
    const body = JSON.stringify({ email, password: PASSWORD });
    return () => fetchJson(origin, LOGIN_PATH, { "content-type": "application/json" }, body);
  });
  return {
    process: server,
    origin,
    signed: inTurn(await createProjects(origin, developers)),
    logins,
  };
}
