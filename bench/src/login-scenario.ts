import { createProjects, PASSWORD } from "./developers.ts";
import { fetchJson } from "./fetch-json.ts";
import { LOGIN_PATH } from "./paths.ts";
import type { ServerProcess, StartServer } from "./server-process.ts";
import type { PurserReady } from "./servers/purser.ts";
import type { Developer } from "./servers/seed-developer.ts";
import { type NextRequest, roundRobin } from "./signer.ts";
import type { Stores } from "./stores.ts";

const PURSER = new URL("./servers/purser.ts", import.meta.url);

const CONCURRENT_LOGINS = 8;

export interface LoginScenario {
  readonly process: Pick<ServerProcess<unknown>, "cpuMicros">;
  readonly origin: string;
  /** Builds signed GETs, cycling through many keys. Each GET runs one SELECT. */
  readonly signed: NextRequest;
  /** One function per client. Each logs in as a different developer, with the correct password. */
  readonly logins: readonly (() => Promise<unknown>)[];
}

export async function startLoginScenario(
  start: StartServer,
  stores: Stores,
  developers: readonly Developer[],
): Promise<LoginScenario> {
  const server = await start<PurserReady>(PURSER, stores.configFor("logins"));
  const { origin } = server.ready;
  const logins = developers.slice(0, CONCURRENT_LOGINS).map(({ email }) => {
    const body = JSON.stringify({ email, password: PASSWORD });
    return () => fetchJson(origin, LOGIN_PATH, { "content-type": "application/json" }, body);
  });
  return {
    process: server,
    origin,
    signed: roundRobin(await createProjects(origin, developers)),
    logins,
  };
}
