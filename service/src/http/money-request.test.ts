import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { run } from "../../test/database.ts";
import { type ApiResponse, PREFIX, useHarness } from "../../test/harness.ts";
import { createSpendTables, type SpendOptions, testSpendRoute } from "../../test/test-spend.ts";
import { requestSignature, sha256Hex } from "../crypto/signing.ts";
import type { TenantId } from "../foundation/ids.ts";
import { purgeSignatures } from "../idempotency/money/purge-signatures.ts";

const PATH = "/test/spend";

function useSpending(settings = {}) {
  const steps: { beforeMove: SpendOptions["beforeMove"]; afterMove: SpendOptions["afterMove"] } = {
    beforeMove: undefined,
    afterMove: undefined,
  };
  const route = testSpendRoute({
    beforeMove: async (tx) => steps.beforeMove?.(tx),
    afterMove: async (tx) => steps.afterMove?.(tx),
  });
  const harness = useHarness({ routes: [route], settings });

  beforeAll(() => createSpendTables(harness.database));
  afterEach(() => {
    steps.beforeMove = undefined;
    steps.afterMove = undefined;
  });

  const asSuperuser = (statement: string) => run(harness.database.superuserUrl, statement);

  async function setBalance(tenantId: TenantId, dollars: number, isFrozen = false) {
    await asSuperuser(`insert into test_balances values ('${tenantId}', ${dollars * 1e6}, ${isFrozen})
      on conflict (tenant_id) do update set micros = excluded.micros, is_frozen = excluded.is_frozen`);
  }

  /** Returns what the tenant's requests have written. */
  async function written(tenantId: TenantId) {
    const { rows } = await sql<Record<string, unknown>>`
      select
        (select micros / 1000000 from test_balances where tenant_id = ${tenantId})::integer as balance,
        (select count(*)::integer from test_spends where tenant_id = ${tenantId}) as spends,
        (select count(*)::integer from audit_entries where tenant_id = ${tenantId} and action like 'test.%') as entries,
        (select count(*)::integer from outbox_messages where tenant_id = ${tenantId}
          and payload ->> 'type' like 'test.%') as events,
        (select count(*)::integer from idempotency_records where tenant_id = ${tenantId}) as records,
        (select count(*)::integer from request_signatures where tenant_id = ${tenantId}) as signatures
    `.execute(harness.app.db);
    return rows[0];
  }

  async function arrange(dollars = 100) {
    const tenant = await harness.seedTenant();
    await setBalance(tenant.tenantId, dollars);
    return {
      tenant,
      written: () => written(tenant.tenantId),
      setBalance: (amount: number, isFrozen?: boolean) =>
        setBalance(tenant.tenantId, amount, isFrozen),
    };
  }

  /** Signs a request. Returns a function that sends it with any Idempotency-Key and a new nonce. */
  function capture(
    tenant: { apiSecret: string; sendRaw: SendRaw },
    body: object = { amount: "30" },
  ) {
    const text = JSON.stringify(body);
    const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000));
    const parts = { timestamp, method: "POST", path: PREFIX + PATH, bodyHash: sha256Hex(text) };
    const signature = requestSignature(sha256Hex(tenant.apiSecret), parts).toString("hex");
    return (key?: string) =>
      tenant.sendRaw("POST", PATH, text, {
        timestamp,
        signature,
        headers: key === undefined ? {} : { "idempotency-key": key },
      });
  }

  return { harness, steps, arrange, capture, asSuperuser };
}

type SendRaw = Awaited<ReturnType<ReturnType<typeof useHarness>["seedTenant"]>>["sendRaw"];

const NOTHING = { spends: 0, entries: 0, events: 0, records: 0, signatures: 0 };
const ONE = { spends: 1, entries: 1, events: 1, records: 1, signatures: 1 };

const isReplayed = ({ headers }: ApiResponse) => headers["idempotent-replayed"] === "true";

/** Returns a promise, and a function that resolves it. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

describe("a request that moves money", () => {
  const { harness, steps, arrange, capture, asSuperuser } = useSpending();
  const spend = (tenant: { post: Post }, amount: string, key?: string) =>
    tenant.post(PATH, { amount }, key === undefined ? {} : { headers: { "idempotency-key": key } });

  afterEach(() => { if (process.env["SHOW"]) console.log(harness.logLines.filter((l) => l.includes("failed")).at(-1)); });
  it("200: writes the row, audit entry, event, response and signature", async () => {
    const { tenant, written } = await arrange();

    const response = await spend(tenant, "30.50", randomUUID());

    expect(response).toMatchObject({ status: 200, body: { amount: "30.500000" } });
    expect(await written()).toEqual({ ...ONE, balance: 70 - 1 });
  });

  it("200 with the same bytes and Idempotent-Replayed: sent again with a new signature, for 30 days", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();
    const first = await spend(tenant, "30", key);
    harness.clock.advanceSeconds(30 * 24 * 3_600 - 1);

    const again = await spend(tenant, "30", key.toUpperCase());

    expect(isReplayed(first)).toBe(false);
    expect(again).toMatchObject({ status: 200, text: first.text });
    expect(again.headers["content-type"]).toBe(first.headers["content-type"]);
    expect(isReplayed(again)).toBe(true);
    expect(await written()).toEqual({ ...ONE, signatures: 2, balance: 70 });
  });

  it("200 for a new request: the key is used again after 30 days", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();
    await spend(tenant, "30", key);
    harness.clock.advanceSeconds(30 * 24 * 3_600);

    const second = await spend(tenant, "20", key);

    expect(second).toMatchObject({ status: 200, body: { amount: "20.000000" } });
    expect((await spend(tenant, "20", key)).text).toBe(second.text);
    expect(await written()).toMatchObject({ spends: 2, balance: 50, records: 1 });
  });

  it("422: the same key for another body, agent or key binding; the first response is kept", async () => {
    const { tenant, written } = await arrange();
    const agentId = "3b241101-e2bb-4255-8caf-4136c566a962";
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [agentId] });
    const key = randomUUID();
    const first = await spend(tenant, "30", key);
    const headers = { "idempotency-key": key, "x-agent-id": agentId };

    for (const response of [
      await spend(tenant, "31", key),
      await tenant.post(PATH, { amount: "30" }, { headers }),
      await spend(bound, "30", key),
    ]) {
      expect(response).toMatchObject({ status: 422, body: { code: "idempotency_conflict" } });
    }
    expect((await spend(tenant, "30", key)).text).toBe(first.text);
    expect(await written()).toMatchObject({ spends: 1, balance: 70 });
  });

  it("200: another developer and another mode use the same key", async () => {
    const [one, other] = [await arrange(), await arrange()];
    const testKey = await harness.seedKey(one.tenant.tenantId, { mode: "test" });
    const key = randomUUID();

    for (const client of [one.tenant, other.tenant, testKey]) {
      const response = await spend(client, "30", key);
      expect([response.status, isReplayed(response)]).toEqual([200, false]);
    }
    expect(await other.written()).toEqual({ ...ONE, balance: 70 });
  });

  it("200 with the first response: a retry after key rotation; 401: with the revoked key", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();
    const first = await spend(tenant, "30", key);
    const next = await harness.seedKey(tenant.tenantId);
    await next.delete(`/developers/me/keys/${tenant.keyId}`);

    expect((await spend(tenant, "30", key)).status).toBe(401);
    expect((await spend(next, "30", key)).text).toBe(first.text);
    expect(await written()).toMatchObject({ spends: 1, balance: 70 });
  });

  it("20 parallel calls with one key have one effect and the same response", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();

    const responses = await Promise.all(Array.from({ length: 20 }, () => spend(tenant, "30", key)));

    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.filter((response) => !isReplayed(response))).toHaveLength(1);
    expect(await written()).toEqual({ ...ONE, balance: 70 });
  });

  it("200 with the first response: a call with the same key waits for the first", async () => {
    const { tenant, written } = await arrange();
    const [key, moving, moved] = [randomUUID(), gate(), gate()];
    steps.afterMove = async () => {
      moving.open();
      await moved.opened;
    };
    const first = spend(tenant, "30", key);
    await moving.opened;
    harness.clock.advanceSeconds(1);

    const second = spend(tenant, "30", key);
    await expect.poll(waitingForLocks).toBe(1);
    moved.open();

    expect(await second).toMatchObject({ status: 200, text: (await first).text });
    expect(isReplayed(await second)).toBe(true);
    expect(await written()).toMatchObject({ spends: 1, signatures: 2, balance: 70 });
  });

  it("409 after a second: the first call still runs; 401: the refused signature is sent with another key", async () => {
    const { tenant, written } = await arrange();
    const [key, moving, moved] = [randomUUID(), gate(), gate()];
    steps.afterMove = async () => {
      moving.open();
      await moved.opened;
    };
    const first = spend(tenant, "30", key);
    await moving.opened;
    harness.clock.advanceSeconds(1);
    const send = capture(tenant);

    const second = await send(key);
    expect(second).toMatchObject({
      status: 409,
      body: { code: "idempotency_in_flight", retryable: true },
      headers: { "retry-after": "1" },
    });
    steps.afterMove = undefined;
    expect((await send(randomUUID())).status).toBe(401);

    moved.open();
    expect((await first).status).toBe(200);
    expect(await send(key)).toMatchObject({ status: 200, text: (await first).text });
    expect(await written()).toMatchObject({ spends: 1, balance: 70 });
  });

  it("503, nothing changed: another transaction has locked the balance", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();
    const holder = new pg.Client({ connectionString: harness.database.superuserUrl });
    await holder.connect();
    await holder.query("begin");
    await holder.query(
      `select from test_balances where tenant_id = '${tenant.tenantId}' for update`,
    );

    const response = await spend(tenant, "30", key);
    await holder.end();

    expect(response).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(await written()).toEqual({ ...NOTHING, balance: 100 });
    expect((await spend(tenant, "30", key)).status).toBe(200);
  });

  it("200 after 422: a validation error stores nothing, and the corrected body can use the key", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();

    for (const amount of ["-1", "1e3", "0.0000001", "0"]) {
      expect((await spend(tenant, amount, key)).status, amount).toBe(422);
    }
    expect(await written()).toEqual({ ...NOTHING, balance: 100 });
    expect((await spend(tenant, "1", key)).status).toBe(200);
  });

  it("200 with the first response: the response to a commit was lost", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();
    const send: (...args: unknown[]) => unknown = pg.Client.prototype.query;
    const lost = vi.spyOn(pg.Client.prototype, "query").mockImplementation(async function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const result = await send.apply(this, args);
      if (textOf(args[0]) !== "commit") return result;
      lost.mockRestore();
      throw Object.assign(new Error("the connection broke"), { code: "ECONNRESET" });
    } as never);

    const first = await spend(tenant, "30", key);
    lost.mockRestore();
    const again = await spend(tenant, "30", key);

    expect(first).toMatchObject({ status: 503, body: { retryable: true } });
    expect(first.body.detail).toContain("may or may not");
    expect([again.status, isReplayed(again)]).toEqual([200, true]);
    expect(await written()).toMatchObject({ spends: 1, balance: 70 });
  });

  it.each(["beforeMove", "afterMove"] as const)(
    "503, nothing changed: the connection is killed %s; 200: the retry with the same key",
    async (step) => {
      const { tenant, written } = await arrange();
      const key = randomUUID();
      steps[step] = async (tx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
        await asSuperuser(`select pg_terminate_backend(${rows[0]?.pid})`);
      };

      expect((await spend(tenant, "30", key)).status).toBe(503);
      steps[step] = undefined;
      expect(await written()).toEqual({ ...NOTHING, balance: 100 });

      const retried = await spend(tenant, "30", key);
      expect([retried.status, isReplayed(retried)]).toEqual([200, false]);
      expect(await written()).toEqual({ ...ONE, balance: 70 });
    },
  );

  it("one effect: the transaction is repeated after a serialization failure", async () => {
    const { tenant, written } = await arrange();
    let attempts = 0;
    steps.afterMove = async (tx) => {
      attempts += 1;
      if (attempts < 3)
        await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(tx);
    };

    expect((await spend(tenant, "30", randomUUID())).status).toBe(200);
    expect(attempts).toBe(3);
    expect(await written()).toEqual({ ...ONE, balance: 70 });
  });

  it("five round trips for a success and for a refusal by the move, four for a refusal by the facts", async () => {
    const { tenant, setBalance } = await arrange();
    await spend(tenant, "1");
    const sentBy = async (call: () => Promise<ApiResponse>) => {
      const query = vi.spyOn(pg.Client.prototype, "query");
      try {
        const { status } = await call();
        return [status, ...query.mock.calls.map(([sent]) => /\w+/.exec(textOf(sent))?.[0])];
      } finally {
        query.mockRestore();
      }
    };
    const trips = ["begin", "select", "update", "with", "commit"];

    expect(await sentBy(() => spend(tenant, "2", randomUUID()))).toEqual([200, ...trips]);
    harness.clock.advanceSeconds(1);
    expect(await sentBy(() => spend(tenant, "2"))).toEqual([200, ...trips]);
    const byFacts = trips.filter((trip) => trip !== "update");
    expect(await sentBy(() => spend(tenant, "200", randomUUID()))).toEqual([402, ...byFacts]);
    steps.beforeMove = async () => setBalance(1);
    const [status, ...byMove] = await sentBy(() => spend(tenant, "3", randomUUID()));
    expect([status, byMove.filter((trip) => trip !== "insert")]).toEqual([402, trips]);
  });

  async function waitingForLocks(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(harness.app.db);
    return rows[0]?.count ?? 0;
  }
});

type Post = Awaited<ReturnType<ReturnType<typeof useHarness>["seedTenant"]>>["post"];

function textOf(sent: unknown): string {
  if (typeof sent === "string") return sent;
  return typeof sent === "object" && sent !== null && "text" in sent ? String(sent.text) : "";
}
