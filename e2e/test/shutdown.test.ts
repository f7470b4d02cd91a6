import { once } from "node:events";
import { connect, type Socket } from "node:net";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import type { Ended, ServerProcess } from "../src/server-process.ts";
import { type KeyPair, PREFIX, signedHeaders } from "../src/signed-client.ts";
import { until } from "../src/until.ts";
import { createClient, query, useDatabase, useDeployment, useRedis } from "./fixtures.ts";

const KEYS = "/developers/me/keys";
const CLEAN: Ended = { code: 0, signal: null };
/** This limit is far below the 25 s after which the process always exits. */
const EXIT_MAX_MS = 10_000;

const redis = await useRedis();

describe.skipIf(redis.missing)("a process that receives SIGTERM", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));
  const sockets: Socket[] = [];

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  it("completes running requests and requests on open connections, refuses new connections, exits with 0", async () => {
    const server = await deployment.start();
    const tenant = await deployment.seedTenant();
    const client = createClient(server, tenant);
    const keys = await Promise.all(Array.from({ length: 4 }, () => deployment.seedKey(tenant.tenantId)));
    await using locks = await lockRows(`key_id in (${keys.map((key) => `'${key.keyId}'`)})`);
    const running = keys.map((key) => client.delete(`${KEYS}/${key.keyId}`));
    await until("all requests wait for their rows", () => locks.waiting(keys.length));
    const socket = await open(server);
    const body = JSON.stringify({ name: "late" });
    socket.write(headOf(tenant, "POST", "/projects", body));
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 100 /);

    server.signal("SIGTERM");
    await until("new connections are refused", () => isRefused(server));
    await locks.release();
    const responses = await Promise.all(running);
    socket.write(body);
    const response = String(await once(socket, "data"));
    const respondedAtMs = performance.now();

    expect(responses.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect(response).toMatch(/^HTTP\/1\.1 201 /);
    // The server closes the connection, although the client keeps it open.
    expect(response).toMatch(/^connection: close\r$/im);
    expect(await server.ended).toEqual(CLEAN);
    expect(performance.now() - respondedAtMs).toBeLessThan(EXIT_MAX_MS);
    const rows = await query(
      database.superuserUrl,
      "select 1 from api_keys where tenant_id = $1 and revoked_at is not null",
      [tenant.tenantId],
    );
    expect(rows).toHaveLength(keys.length);
  });

  it("exits with 0 despite open connections and a second signal: silent, idle, or with an incomplete header", async () => {
    const server = await deployment.start();
    const silent = await open(server);
    const idle = await open(server);
    idle.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(idle, "data");
    const incomplete = await open(server);
    incomplete.write("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    expect([silent, idle, incomplete].map(({ readyState }) => readyState)).toEqual(["open", "open", "open"]);

    server.signal("SIGTERM");
    server.signal("SIGINT");

    expect(await exitOf(server)).toEqual(CLEAN);
  });

  /** Locks rows of `api_keys`, so that requests wait until the locks are released. */
  async function lockRows(condition: string) {
    const lockClient = new pg.Client({ connectionString: database.superuserUrl });
    await lockClient.connect();
    await lockClient.query("begin");
    await lockClient.query(`select from api_keys where ${condition} for update`);
    let isLocked = true;
    const release = async () => {
      if (!isLocked) return;
      isLocked = false;
      await lockClient.query("rollback");
      await lockClient.end();
    };
    return {
      waiting: async (count: number) => {
        const rows = await query(
          database.superuserUrl,
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length >= count || undefined;
      },
      release,
      [Symbol.asyncDispose]: release,
    };
  }

  async function open({ url }: ServerProcess): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  }

  async function isRefused({ url }: ServerProcess): Promise<true | undefined> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    return new Promise((resolve) => {
      socket.once("connect", () => resolve(undefined));
      socket.once("error", (error) => resolve(("code" in error && error.code === "ECONNREFUSED") || undefined));
    });
  }
});

/** Returns the head of a request. Because of `expect: 100-continue`, the server confirms that it has read the head. */
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

/** Stops the process. Throws if it does not exit in time. */
async function exitOf(server: ServerProcess): Promise<Ended> {
  const late = new Promise<never>((_resolve, reject) => {
    const refuse = () => reject(new Error(`The process did not exit within ${EXIT_MAX_MS} ms.`));
    setTimeout(refuse, EXIT_MAX_MS).unref();
  });
  return Promise.race([server.stop(), late]);
}
