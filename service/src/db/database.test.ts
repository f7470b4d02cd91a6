import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres, withAdminClient } from "@purser/embedded-postgres";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { withConnectionShare } from "../foundation/connection-share.ts";
import { newId } from "../foundation/ids.ts";
import { type Db, openDatabase, openPlainPool } from "./database.ts";
import { FairQueue } from "./fair-queue.ts";
import { withTransaction } from "./transaction.ts";

const READ_TIMEOUT_MS = 300;
const STATEMENT_TIMEOUT_MS = 900;
/** Tolerance for slow machines, in milliseconds. */
const SLACK_MS = 2_500;

/** Messages of the PostgreSQL protocol: a type byte, a length and the payload. */
const AUTHENTICATED = message("R", Buffer.alloc(4));
const READY = message("Z", Buffer.from("I"));
const FATAL = message("E", Buffer.from("SFATAL\0C57P02\0Mterminating connection\0\0"));

const UNAVAILABLE = { code: "service_unavailable", status: 503 };

/** Uses a separate PostgreSQL server, because the tests pause and kill its processes. */
describe("openDatabase with a server that stops responding", () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let db: Db;
  const stopped = new Set<number>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "purser-database-"));
    await chmod(folder, 0o755);
    postgres = await startEmbeddedPostgres({ dataDir: folder, fsync: false });
    await withAdminClient(postgres, "postgres", (client) => client.query("create table notes (text text not null)"));
    db = open(postgres.url("postgres"));
  });

  afterEach(resume);

  afterAll(async () => {
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function backendOf(executor: Db): Promise<number> {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(executor);
    return rows[0]?.pid ?? 0;
  }

  function stop(pid: number): void {
    process.kill(pid, "SIGSTOP");
    stopped.add(pid);
  }

  function resume(): void {
    for (const pid of stopped) process.kill(pid, "SIGCONT");
    stopped.clear();
  }

  /** Runs a query over a separate connection as superuser. */
  function queryAsSuperuser(text: string): Promise<Record<string, unknown>[]> {
    return withAdminClient(postgres, "postgres", async (client) => (await client.query(text)).rows);
  }

  async function msUntilUnavailable(work: () => Promise<unknown>): Promise<number> {
    const startedAt = performance.now();
    await expect(work()).rejects.toMatchObject(UNAVAILABLE);
    return performance.now() - startedAt;
  }

  it("503: a read exceeds the read timeout; its connection is not used again", async () => {
    const pid = await backendOf(db);
    stop(pid);

    const durationMs = await msUntilUnavailable(() => sql`select 1`.execute(db));

    expect(durationMs).toBeGreaterThan(READ_TIMEOUT_MS - 50);
    expect(durationMs).toBeLessThan(READ_TIMEOUT_MS + SLACK_MS);
    const next = await backendOf(db);
    expect(next).not.toBe(pid);
    expect(await backendOf(db)).toBe(next);
  });

  it("503: a transaction exceeds the statement timeout, and does not wait for its rollback", async () => {
    let pid = 0;

    const durationMs = await msUntilUnavailable(() =>
      withTransaction(db, newId("dev"), async (tx) => {
        pid = await backendOf(tx);
        stop(pid);
        await sql`select 1`.execute(tx);
      }),
    );

    expect(durationMs).toBeGreaterThan(STATEMENT_TIMEOUT_MS - 50);
    expect(durationMs).toBeLessThan(2 * STATEMENT_TIMEOUT_MS);
    expect(await backendOf(db)).not.toBe(pid);
  });

  it("503: the response to a commit is not received; the error states that the change may have been saved", async () => {
    const lost = withTransaction(db, newId("dev"), async (tx) => {
      await sql`insert into notes values ('committed unseen')`.execute(tx);
      stop(await backendOf(tx));
    });

    await expect(lost).rejects.toMatchObject({
      ...UNAVAILABLE,
      message: expect.stringContaining("may or may not have been saved"),
    });
    resume();
    await vi.waitFor(
      async () => expect(await queryAsSuperuser("select text from notes")).toEqual([{ text: "committed unseen" }]),
      { timeout: 10_000 },
    );
  });

  it("503: the server accepts no connection within the connect timeout", async () => {
    const pid = await backendOf(db);
    stop(pid);
    await msUntilUnavailable(() => sql`select 1`.execute(db));
    stop(postgres.pid);

    expect(await msUntilUnavailable(() => sql`select 1`.execute(db))).toBeLessThan(1_000 + SLACK_MS);

    resume();
    expect(await backendOf(db)).toBeGreaterThan(0);
  });

  it("503: a connection breaks between two statements of a transaction; the process continues", async () => {
    const broken = withTransaction(db, newId("dev"), async (tx) => {
      const pid = await backendOf(tx);
      await queryAsSuperuser(`select pg_terminate_backend(${pid}, 5000)`);
      await queryAsSuperuser("select 1");
      await sql`select 1`.execute(tx);
    });

    await expect(broken).rejects.toMatchObject(UNAVAILABLE);
    expect(await backendOf(db)).toBeGreaterThan(0);
  });

  it("503: the server closes a connection in the packet that opened it; the process continues", async () => {
    // If the server is killed while a connection opens, it sends READY and FATAL in one packet.
    const dying = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(Buffer.concat([AUTHENTICATED, READY, FATAL])));
    });
    dying.listen(0, "127.0.0.1");
    await once(dying, "listening");
    onTestFinished(() => void dying.close());
    const { port } = dying.address() as AddressInfo;
    const broken = open(`postgres://user@127.0.0.1:${port}/postgres`);
    const plain = openPlainPool({
      url: `postgres://user@127.0.0.1:${port}/postgres`,
      connectionsMax: 1,
      idleTransactionTimeoutMs: 1_000,
      onError: () => {},
    });
    onTestFinished(() => broken.destroy());
    onTestFinished(() => plain.end());

    await expect(sql`select 1`.execute(broken)).rejects.toMatchObject(UNAVAILABLE);
    const client = await plain.connect();
    await expect(client.query("select 1")).rejects.toThrow();
    client.release(true);
  });

  it("503: a statement exceeds the timeout; the server cancels it too", async () => {
    const slow = withTransaction(db, newId("dev"), (tx) => sql`select pg_sleep(60)`.execute(tx));

    await expect(slow).rejects.toMatchObject(UNAVAILABLE);
    await vi.waitFor(
      async () =>
        expect(await queryAsSuperuser("select pid from pg_stat_activity where query like 'select pg_sleep%'")).toEqual(
          [],
        ),
      { timeout: 10_000 },
    );
  });

  it("503: a migration changes the columns of a prepared read; the next read succeeds", async () => {
    const read = () => sql`select * from notes where text <> ${"x"}`.execute(db);
    await read();
    await queryAsSuperuser("alter table notes add column at timestamptz");

    await expect(read()).rejects.toMatchObject(UNAVAILABLE);

    expect((await read()).rows[0]).toHaveProperty("at");
  });

  describe("with all connections for requests in use", () => {
    const asTenant = <Result>(owner: string, work: () => Promise<Result>) =>
      withConnectionShare({ pool: "requests", owner }, work);

    /** Holds the only connection of the pool `requests` until `release` is called. */
    async function occupy(owner: string) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const { promise: taken, resolve: take } = Promise.withResolvers<void>();
      const ended = asTenant(owner, () =>
        withTransaction(db, newId("dev"), async (tx) => {
          await sql`select 1`.execute(tx);
          take();
          await released;
        }),
      );
      await taken;
      return { release, ended };
    }

    it("waiting tenants get free connections round robin, and each tenant's requests in order of arrival", async () => {
      const { release, ended } = await occupy("busy");
      const served: string[] = [];
      const request = (owner: string, name: string) =>
        asTenant(owner, () => sql`select 1`.execute(db)).then(() => served.push(name));
      const answers = [
        ...["busy 1", "busy 2", "busy 3"].map((name) => request("busy", name)),
        ...["other 1", "other 2"].map((name) => request("other", name)),
        request("third", "third 1"),
      ];

      release();
      await Promise.all([ended, ...answers]);

      expect(served).toEqual(["busy 1", "other 1", "third 1", "busy 2", "other 2", "busy 3"]);
    });

    it("503: a caller waits for longer than the time limit and is removed from the queue", async () => {
      const queue = new FairQueue(1, 5);
      await queue.acquire("busy");

      await expect(queue.acquire("other")).rejects.toMatchObject(UNAVAILABLE);

      queue.release();
      await queue.acquire("third");
    });

    it("authentication and jobs use their own connections", async () => {
      const { release, ended } = await occupy("busy");

      for (const pool of ["authentication", "jobs"] as const) {
        await withConnectionShare({ pool, owner: "" }, () => sql`select 1`.execute(db));
      }

      release();
      await ended;
    });
  });

  it("throws if a transaction requests a second connection", async () => {
    const nested = withTransaction(db, newId("dev"), () => sql`select 1`.execute(db));

    await expect(nested).rejects.toThrow("only one connection");
    expect(await backendOf(db)).toBeGreaterThan(0);
  });

  it("returns integers that a double cannot represent as bigint", async () => {
    const { rows } = await sql`
      select 9007199254740993::bigint as int8, 12345678901234567890::numeric(20, 0) as numeric, 7::integer as int4
    `.execute(db);

    expect(rows).toEqual([{ int8: 9007199254740993n, numeric: 12345678901234567890n, int4: 7 }]);
  });

  it("returns the same column names and types from prepared, repeated and plain statements", async () => {
    const columns = sql.raw(
      `1::integer as plain, null as no_value, 'text' as some_text, '\\x00ff'::bytea as some_bytes, true as is_so,
       '{a,b}'::text[] as the_list, '{"snake_key": 1}'::jsonb as some_json, '2026-01-02T03:04:05.678Z'::timestamptz as at`,
    );
    const select = () => sql`select ${columns}, ${"value"}::text as given where ${true}::boolean`.execute(db);

    const [first, second] = [await select(), await select()];
    const { rows } = await sql`select ${columns}, 'value' as given`.execute(db);

    expect(first.rows).toEqual([
      {
        plain: 1,
        noValue: null,
        someText: "text",
        someBytes: Buffer.from([0, 255]),
        isSo: true,
        theList: ["a", "b"],
        someJson: { snake_key: 1 },
        at: new Date("2026-01-02T03:04:05.678Z"),
        given: "value",
      },
    ]);
    expect([second.rows, rows]).toEqual([first.rows, first.rows]);
  });

  it("returns the number of changed rows from first and repeated statements", async () => {
    const insert = () => sql`insert into notes (text) select 'counted' where ${true}::boolean`.execute(db);
    const remove = () => sql`delete from notes where text = ${"counted"}`.execute(db);

    const counts = [await insert(), await insert(), await remove(), await remove()];

    expect(counts.map(({ numAffectedRows }) => numAffectedRows)).toEqual([1n, 1n, 2n, 0n]);
  });

  it("a value that cannot be serialized, or a row that cannot be parsed, does not break the connection", async () => {
    const pid = await backendOf(db);
    const endless: unknown[] = [];
    endless.push({
      toJSON: () => {
        throw new Error("cannot be written");
      },
    });

    await expect(sql`select ${endless}::text[]`.execute(db)).rejects.toThrow("cannot be written");
    await expect(sql`select ${"x"}::integer`.execute(db)).rejects.toThrow("invalid input syntax");
    await expect(sql`select ${"NaN"}::numeric`.execute(db)).rejects.toThrow(SyntaxError);
    for (const _time of ["first", "again"]) {
      const failsAtThird = sql`select 1 / (3 - n) from generate_series(1, 5) as n where ${true}`;
      await expect(failsAtThird.execute(db)).rejects.toThrow("division by zero");
    }
    expect(await backendOf(db)).toBe(pid);
  });
});

function open(url: string): Db {
  return openDatabase({
    url,
    connectionsMax: { requests: 1, authentication: 1, jobs: 1 },
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    readTimeoutMs: READ_TIMEOUT_MS,
    connectTimeoutMs: 1_000,
    onError: () => {},
  });
}

function message(kind: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(kind), length, content]);
}
