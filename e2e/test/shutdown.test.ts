import { once } from "node:events";
import { connect, type Socket } from "node:net";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import type { Ended, ServiceProcess } from "../src/service-process.ts";
import { type KeyPair, PREFIX, signedHeaders } from "../src/signed-client.ts";
import { until } from "../src/until.ts";
import { clientOf, query, useDatabase, useDeployment, useRedis } from "./fixtures.ts";

const KEYS = "/developers/me/keys";
const CLEAN: Ended = { code: 0, signal: null };
/** Nobody has anything left to wait for. Far below the 25 s after which the process goes all the same. */
const EXIT_MAX_MS = 10_000;

const redis = await useRedis();

describe.skipIf(redis.missing)("a process that is asked to end", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));
  const sockets: Socket[] = [];

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  it("answers what is under way and what comes after the signal, refuses new connections, and exits with 0", async () => {
    const service = await deployment.start();
    const tenant = await deployment.seedTenant();
    const client = clientOf(service, tenant);
    const keys = await Promise.all(
      Array.from({ length: 4 }, () => deployment.seedKey(tenant.tenantId)),
    );
    await using held = await holdRows(`key_id in (${keys.map((key) => `'${key.keyId}'`)})`);
    const underWay = keys.map((key) => client.delete(`${KEYS}/${key.keyId}`));
    await until("all of them wait for their row", () => held.waiting(keys.length));
    const socket = await open(service);
    const body = JSON.stringify({ name: "late" });
    socket.write(headOf(tenant, "POST", "/projects", body));
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 100 /);

    service.signal("SIGTERM");
    await until("new connections are refused", () => isRefused(service));
    await held.letGo();
    const answers = await Promise.all(underWay);
    socket.write(body);
    const answer = String(await once(socket, "data"));
    const answeredAtMs = performance.now();

    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    // The client stays connected, and nobody waits for it.
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(await service.ended).toEqual(CLEAN);
    expect(performance.now() - answeredAtMs).toBeLessThan(EXIT_MAX_MS);
    const rows = await query(
      database.superuserUrl,
      "select 1 from api_keys where tenant_id = $1 and revoked_at is not null",
      [tenant.tenantId],
    );
    expect(rows).toHaveLength(keys.length);
  });

  it("does not wait for clients that stay connected: silent, idle, or in the middle of a header; and hears a second signal without harm", async () => {
    const service = await deployment.start();
    const silent = await open(service);
    const idle = await open(service);
    idle.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(idle, "data");
    const dribbling = await open(service);
    dribbling.write("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    expect([silent, idle, dribbling].map(({ readyState }) => readyState)).toEqual([
      "open",
      "open",
      "open",
    ]);

    service.signal("SIGTERM");
    service.signal("SIGINT");

    expect(await exitOf(service)).toEqual(CLEAN);
  });

  /** Holds the locks of these keys' rows, so that a request stays under way for as long as a test wants. */
  async function holdRows(condition: string) {
    const holder = new pg.Client({ connectionString: database.superuserUrl });
    await holder.connect();
    await holder.query("begin");
    await holder.query(`select from api_keys where ${condition} for update`);
    let holding = true;
    const letGo = async () => {
      if (!holding) return;
      holding = false;
      await holder.query("rollback");
      await holder.end();
    };
    return {
      waiting: async (count: number) => {
        const rows = await query(
          database.superuserUrl,
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length >= count || undefined;
      },
      letGo,
      [Symbol.asyncDispose]: letGo,
    };
  }

  async function open({ url }: ServiceProcess): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  }

  async function isRefused({ url }: ServiceProcess): Promise<true | undefined> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    return new Promise((resolve) => {
      socket.once("connect", () => resolve(undefined));
      socket.once("error", (error) =>
        resolve(("code" in error && error.code === "ECONNREFUSED") || undefined),
      );
    });
  }
});

/** The head of a request as it goes over the wire. The server says when it has read it. */
function headOf(pair: KeyPair, method: string, path: string, text: string): string {
  const headers = {
    host: "a",
    expect: "100-continue",
    "content-length": String(Buffer.byteLength(text)),
    ...signedHeaders(pair, { method, path, text }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${PREFIX}${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** How it ends, given that it does so in time. */
async function exitOf(service: ServiceProcess): Promise<Ended> {
  const late = new Promise<never>((_resolve, reject) => {
    const refuse = () => reject(new Error(`The process did not end within ${EXIT_MAX_MS} ms.`));
    setTimeout(refuse, EXIT_MAX_MS).unref();
  });
  return Promise.race([service.stop(), late]);
}
