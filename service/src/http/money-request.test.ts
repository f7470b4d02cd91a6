import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { run } from "../../test/database.ts";
import { type ApiResponse, PREFIX, useHarness } from "../../test/harness.ts";
import { withRoundTrips } from "../../test/round-trips.ts";
import { createSpendTable, type SpendOptions, setWalletBalance, testSpendRoute } from "../../test/test-spend.ts";
import { requestSignature, sha256Hex } from "../crypto/signing.ts";
import type { PreparedQuery } from "../db/prepared-query.ts";
import { withSnapshot } from "../db/transaction.ts";
import { purgeExpiredRows } from "../due-work/retention/purge-expired-rows.ts";
import { invalidField } from "../foundation/errors.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { FreezeMode } from "../foundation/vocabulary.ts";
import { checkBalances } from "../ledger/check/check-balances.ts";

const PATH = "/test/spend";

function useSpending(settings = {}, spendOptions: Pick<SpendOptions, "auth"> = {}) {
  const steps: { beforeMove: SpendOptions["beforeMove"]; afterMove: SpendOptions["afterMove"] } = {
    beforeMove: undefined,
    afterMove: undefined,
  };
  const route = testSpendRoute({
    ...spendOptions,
    beforeMove: async (tx) => steps.beforeMove?.(tx),
    afterMove: async (tx) => steps.afterMove?.(tx),
  });
  const harness = useHarness({ routes: [route], settings });

  const spenders: TenantId[] = [];

  beforeAll(() => createSpendTable(harness.database));
  afterEach(() => {
    steps.beforeMove = undefined;
    steps.afterMove = undefined;
  });
  afterAll(async () => {
    for (const tenantId of spenders) {
      const differences = await withSnapshot(harness.app.db, tenantId, (tx) =>
        checkBalances(tx, { tenantId, isWhole: true }),
      );
      expect(differences).toEqual([]);
    }
  });

  const asSuperuser = (statement: string) => run(harness.database.superuserUrl, statement);

  async function setBalance(tenantId: TenantId, dollars: number) {
    for (const mode of ["live", "test"] as const) {
      await setWalletBalance(harness.app.db, { tenantId, mode }, BigInt(dollars) * 1_000_000n);
    }
  }

  const freeze = (tenantId: TenantId, frozen: FreezeMode | null) =>
    asSuperuser(`update ledger_accounts set frozen = ${frozen === null ? "null" : `'${frozen}'`}
      where tenant_id = '${tenantId}' and kind = 'wallet'`);

  /** Returns what the tenant's requests have written. */
  async function written(tenantId: TenantId) {
    const { rows } = await sql<Record<string, unknown>>`
      select
        (select posted / 1000000 from ledger_accounts where tenant_id = ${tenantId} and mode = 'live'
          and kind = 'wallet' and asset = 'usdc')::integer as balance,
        (select count(*)::integer from test_spends where tenant_id = ${tenantId}) as spends,
        (select count(*)::integer from audit_entries where tenant_id = ${tenantId} and action like 'payment.%') as entries,
        (select count(*)::integer from events where tenant_id = ${tenantId}
          and type like 'payment.%') as events,
        (select count(*)::integer from idempotency_records where tenant_id = ${tenantId}) as records,
        (select count(*)::integer from request_signatures where tenant_id = ${tenantId}) as signatures
    `.execute(harness.app.db);
    return rows[0];
  }

  async function arrange(dollars = 100, tenantId?: TenantId) {
    const tenant = await harness.seedTenant();
    const spender = tenantId ?? tenant.tenantId;
    spenders.push(spender);
    await setBalance(spender, dollars);
    return {
      tenant,
      written: () => written(spender),
      setBalance: (amount: number) => setBalance(spender, amount),
      freeze: (frozen: FreezeMode | null) => freeze(spender, frozen),
    };
  }

  function sign(tenant: { apiSecret: string }, text: string) {
    const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000));
    const parts = { timestamp, method: "POST", path: PREFIX + PATH, bodyHash: sha256Hex(text) };
    const signature = requestSignature(sha256Hex(tenant.apiSecret), parts).toString("hex");
    return { timestamp, signature };
  }

  /** Signs a request. Returns a function that sends it with any Idempotency-Key and a new nonce. */
  function capture(tenant: { apiSecret: string; sendRaw: SendRaw }, body: object = { amount: "30" }) {
    const text = JSON.stringify(body);
    const { timestamp, signature } = sign(tenant, text);
    return (key?: string) =>
      tenant.sendRaw("POST", PATH, text, {
        timestamp,
        signature,
        headers: key === undefined ? {} : { "idempotency-key": key },
      });
  }

  return { harness, steps, arrange, sign, capture, asSuperuser };
}

type SendRaw = Awaited<ReturnType<ReturnType<typeof useHarness>["seedTenant"]>>["sendRaw"];

const NOTHING = { spends: 0, entries: 0, events: 0, records: 0, signatures: 0 };
/** The signature is stored even if the transaction of its request was rolled back. */
const ROLLED_BACK = { ...NOTHING, signatures: 1 };
const ONE = { spends: 1, entries: 1, events: 1, records: 1, signatures: 1 };

/** The response to a signature that was used before. */
const REPLAYED = {
  status: 409,
  body: { code: "signature_replayed", retryable: true },
  headers: { "retry-after": "1" },
};

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

  it("200: writes the row, audit entry, event, response and signature", async () => {
    const { tenant, written } = await arrange();

    const response = await spend(tenant, "31", randomUUID());

    expect(response).toMatchObject({ status: 200, body: { amount: "31.00" } });
    expect(await written()).toEqual({ ...ONE, balance: 69 });
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

    expect(second).toMatchObject({ status: 200, body: { amount: "20.00" } });
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
    const readsBefore = await balanceReads();

    const responses = await Promise.all(Array.from({ length: 20 }, () => spend(tenant, "30", key)));

    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.filter((response) => !isReplayed(response))).toHaveLength(1);
    expect(await balanceReads()).toBe(readsBefore + 1n);
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

  it("409 after a second: the first call still runs, and if the refused signature is sent with another key", async () => {
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
    const startedAt = performance.now();

    const second = await send(key);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(second).toMatchObject({
      status: 409,
      body: { code: "idempotency_in_flight", retryable: true },
      headers: { "retry-after": "1" },
    });
    steps.afterMove = undefined;
    expect(await send(randomUUID())).toMatchObject(REPLAYED);

    moved.open();
    expect((await first).status).toBe(200);
    expect(await send(key)).toMatchObject({ status: 200, text: (await first).text });
    expect(await written()).toMatchObject({ spends: 1, balance: 70 });
  });

  it("200 after 409: the first call has failed, so the refused request is signed again", async () => {
    const { tenant, written } = await arrange();
    const [key, moving, failing] = [randomUUID(), gate(), gate()];
    steps.beforeMove = async () => {
      moving.open();
      await failing.opened;
      throw new Error("the first call fails");
    };
    const first = spend(tenant, "30", key);
    await moving.opened;
    steps.beforeMove = undefined;
    harness.clock.advanceSeconds(1);
    const send = capture(tenant);
    expect((await send(key)).status).toBe(409);
    failing.open();
    expect((await first).status).toBe(500);

    expect(await send(randomUUID())).toMatchObject(REPLAYED);
    expect(await send(key)).toMatchObject(REPLAYED);
    harness.clock.advanceSeconds(1);
    expect((await capture(tenant)(key)).status).toBe(200);
    expect(await written()).toMatchObject({ spends: 1, balance: 70 });
  });

  it("503, nothing changed: another transaction has locked the balance", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();
    const holder = new pg.Client({ connectionString: harness.database.superuserUrl });
    await holder.connect();
    await holder.query("begin");
    await holder.query(`select from ledger_accounts where tenant_id = '${tenant.tenantId}' for update`);

    const response = await spend(tenant, "30", key);
    await holder.end();

    expect(response).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(await written()).toEqual({ ...ROLLED_BACK, balance: 100 });
    harness.clock.advanceSeconds(1);
    expect((await spend(tenant, "30", key)).status).toBe(200);
  });

  it("200 after 422: a validation error stores nothing, and the corrected body can use the key", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();

    for (const amount of ["-1", "1e3", "0.0000001", "0", "1000.000001"]) {
      expect((await spend(tenant, amount, key)).status, amount).toBe(422);
    }
    // Only the last amount was rejected by a transaction.
    expect(await written()).toEqual({ ...ROLLED_BACK, balance: 100 });
    expect((await spend(tenant, "1", key)).status).toBe(200);
  });

  it("200 after an unfreeze: the call waited for another with the same key, which failed", async () => {
    const { tenant, written, freeze } = await arrange();
    const [key, moving, failing] = [randomUUID(), gate(), gate()];
    steps.beforeMove = async () => {
      moving.open();
      await failing.opened;
      throw new Error("the first call fails");
    };
    const first = spend(tenant, "30", key);
    await moving.opened;
    harness.clock.advanceSeconds(1);
    steps.beforeMove = undefined;
    await freeze("outgoing_only");
    const second = spend(tenant, "30", key);
    await expect.poll(waitingForLocks).toBe(1);
    await freeze(null);
    failing.open();

    expect((await first).status).toBe(500);
    expect((await second).status).toBe(200);
    expect(await written()).toMatchObject({ spends: 1, balance: 70 });
  });

  it("200 with the first response: the response to a commit was lost", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();
    // Fills the cache of API keys, so that the first commit below is that of the request.
    await spend(tenant, "1");
    const send: (...args: unknown[]) => unknown = pg.Client.prototype.query;
    const lost = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
      this: pg.Client,
      query: PreparedQuery,
    ) {
      if (query.statements.at(-1)?.text === "commit") {
        const { callback } = query;
        const broken = Object.assign(new Error("the connection broke"), { code: "ECONNRESET" });
        query.callback = () => callback(broken);
        lost.mockRestore();
      }
      return send.call(this, query);
    } as never);

    const first = await spend(tenant, "30", key);
    lost.mockRestore();
    const again = await spend(tenant, "30", key);

    expect(first).toMatchObject({ status: 503, body: { retryable: true } });
    expect(first.body.detail).toContain("may or may not");
    expect([again.status, isReplayed(again)]).toEqual([200, true]);
    expect(await written()).toMatchObject({ spends: 2, balance: 69 });
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
      expect(await written()).toEqual({ ...ROLLED_BACK, balance: 100 });

      harness.clock.advanceSeconds(1);
      const retried = await spend(tenant, "30", key);
      expect([retried.status, isReplayed(retried)]).toEqual([200, false]);
      expect(await written()).toEqual({ ...ONE, signatures: 2, balance: 70 });
    },
  );

  it("one effect: the transaction is repeated after a serialization failure", async () => {
    const { tenant, written } = await arrange();
    let attempts = 0;
    steps.afterMove = async (tx) => {
      attempts += 1;
      if (attempts < 3) await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(tx);
    };

    expect((await spend(tenant, "30", randomUUID())).status).toBe(200);
    expect(attempts).toBe(3);
    expect(await written()).toEqual({ ...ONE, balance: 70 });
  });

  it("two round trips for a success and for a refusal by the facts; a refusal by the move repeats the transaction", async () => {
    const { tenant, setBalance, freeze } = await arrange();
    await spend(tenant, "1");
    const sentBy = async (call: () => Promise<ApiResponse>) => {
      const { result, roundTrips } = await withRoundTrips(call);
      return [result.status, ...roundTrips];
    };
    const short = ["begin select with select", "select with commit"];
    const long = ["rollback", "begin select select", "select", "select", "with commit"];
    const key = randomUUID();

    expect(await sentBy(() => spend(tenant, "2", key))).toEqual([200, ...short]);
    harness.clock.advanceSeconds(1);
    expect(await sentBy(() => spend(tenant, "2"))).toEqual([200, ...short]);
    expect(await sentBy(() => spend(tenant, "200", randomUUID()))).toEqual([402, ...short, ...long]);
    harness.clock.advanceSeconds(1);
    const replay = ["begin select with select", "rollback", "begin select select", "commit"];
    expect(await sentBy(() => spend(tenant, "2", key))).toEqual([200, ...replay]);
    await setBalance(50);
    await freeze("outgoing_only");
    const byFacts = ["begin select with select", "with commit"];
    expect(await sentBy(() => spend(tenant, "3", randomUUID()))).toEqual([403, ...byFacts]);
  });

  async function balanceReads(): Promise<bigint> {
    const { rows } = await sql<{ count: bigint }>`
      select case when is_called then last_value else 0 end as count from test_spend_reads`.execute(harness.app.db);
    return rows[0]?.count ?? 0n;
  }

  async function waitingForLocks(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(harness.app.db);
    return rows[0]?.count ?? 0;
  }
});

describe("a refusal of a request that moves money", () => {
  const { harness, arrange, capture, steps } = useSpending();
  const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
  const REFUSED = { ...NOTHING, entries: 1, events: 1, records: 1, signatures: 1 };

  it("402 with the decision: the response, signature, audit entry and event are stored, nothing else", async () => {
    const { tenant, written } = await arrange(10);

    const response = await tenant.post(PATH, { amount: "30" }, withKey(randomUUID()));

    expect(response).toMatchObject({
      status: 402,
      body: {
        code: "insufficient_funds",
        decision: { available: "10.00", required: "30.00" },
      },
    });
    expect(await written()).toEqual({ ...REFUSED, balance: 10 });
  });

  it("403: the wallet is frozen; the refusal is stored", async () => {
    const { tenant, written, freeze } = await arrange();
    await freeze("outgoing_only");

    const response = await tenant.post(PATH, { amount: "30" }, withKey(randomUUID()));

    expect(response).toMatchObject({ status: 403, body: { code: "wallet_frozen" } });
    expect(await written()).toEqual({ ...REFUSED, balance: 100 });
  });

  it("402 with the same bytes: sent again with the same key, after funds have arrived", async () => {
    const { tenant, written, setBalance } = await arrange(10);
    const [key, send] = [randomUUID(), capture(tenant)];
    const first = await send(key);
    await setBalance(100);

    const captured = await send(key);
    harness.clock.advanceSeconds(1);
    const signedAgain = await capture(tenant)(key);

    for (const again of [captured, signedAgain]) {
      expect(again).toMatchObject({ status: 402, text: first.text });
      expect(again.headers["content-type"]).toBe(first.headers["content-type"]);
      expect(isReplayed(again)).toBe(true);
    }
    expect(isReplayed(first)).toBe(false);
    expect(await written()).toEqual({ ...REFUSED, signatures: 2, balance: 100 });
  });

  it("409 signature_replayed: the signature of a refused request is sent with another key or none, after funds have arrived", async () => {
    const { tenant, written, setBalance } = await arrange(10);
    const send = capture(tenant);
    expect((await send(randomUUID())).status).toBe(402);
    await setBalance(100);

    expect(await send(randomUUID())).toMatchObject(REPLAYED);
    expect(await send()).toMatchObject(REPLAYED);
    expect(await written()).toEqual({ ...REFUSED, balance: 100 });
    harness.clock.advanceSeconds(1);
    expect((await capture(tenant)(randomUUID())).status).toBe(200);
  });

  it("403: the wallet was frozen after the facts were read; the refusal is stored and returned again", async () => {
    const { tenant, written, freeze } = await arrange();
    const key = randomUUID();
    steps.beforeMove = () => freeze("outgoing_only");

    const first = await tenant.post(PATH, { amount: "30" }, withKey(key));
    await freeze(null);

    expect([first.status, first.body.code]).toEqual([403, "wallet_frozen"]);
    expect((await tenant.post(PATH, { amount: "30" }, withKey(key))).text).toBe(first.text);
    expect(await written()).toMatchObject({ ...REFUSED, balance: 100 });
  });

  it("402 once, then 409 signature_replayed: the request has no key", async () => {
    const { tenant, written, setBalance } = await arrange(10);
    const send = capture(tenant);
    expect((await send()).status).toBe(402);
    await setBalance(100);

    expect(await send()).toMatchObject(REPLAYED);
    expect(await written()).toEqual({ ...REFUSED, records: 0, balance: 100 });
  });
});

describe.each(["money", "strict"] as const)("a captured signature under REPLAY_GUARD=%s", (replayGuard) => {
  const { harness, arrange, sign, capture, asSuperuser, steps } = useSpending({ replayGuard });

  it("200 with the first response: sent again with the same key", async () => {
    const { tenant, written } = await arrange();
    const [key, send] = [randomUUID(), capture(tenant)];
    const first = await send(key);

    const again = await send(key);

    expect([first.status, isReplayed(again)]).toEqual([200, true]);
    expect(again.text).toBe(first.text);
    expect(await written()).toEqual({ ...ONE, balance: 70 });
  });

  it("409 signature_replayed, and the key's owner sees why: sent with another key or none", async () => {
    const { tenant, written } = await arrange();
    const send = capture(tenant);
    expect((await send(randomUUID())).status).toBe(200);

    const replayed = await send(randomUUID());
    expect(await send()).toMatchObject(REPLAYED);

    expect(replayed).toMatchObject(REPLAYED);
    expect(await written()).toEqual({ ...ONE, balance: 70 });
    const failures = await tenant.get("/developers/me/auth-failures");
    expect(failures.body.data.map(({ reason }: { reason: string }) => reason)).toContain("signature_replayed");
  });

  it("409 signature_replayed: the first request had no key", async () => {
    const { tenant, written } = await arrange();
    const send = capture(tenant);
    expect((await send()).status).toBe(200);

    expect(await send()).toMatchObject(REPLAYED);
    expect(await send(randomUUID())).toMatchObject(REPLAYED);
    expect(await written()).toEqual({ ...ONE, records: 0, balance: 70 });
  });

  it("409 signature_replayed: sent with the key of a later equal request", async () => {
    const { tenant, written } = await arrange();
    const [send, laterKey] = [capture(tenant), randomUUID()];
    await send(randomUUID());
    harness.clock.advanceSeconds(1);
    expect((await capture(tenant)(laterKey)).status).toBe(200);

    expect(await send(laterKey)).toMatchObject(REPLAYED);
    expect(await written()).toMatchObject({ spends: 2, balance: 40 });
  });

  it("409 signature_replayed: the signature of a retry is sent with another key", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();
    await capture(tenant)(key);
    harness.clock.advanceSeconds(1);
    const retry = capture(tenant);
    expect((await retry(key)).status).toBe(200);

    expect(await retry(randomUUID())).toMatchObject(REPLAYED);
    expect(await written()).toEqual({ ...ONE, signatures: 2, balance: 70 });
  });

  it("409 signature_replayed: the signature of a request whose key belongs to another body is sent with another key", async () => {
    const { tenant, written } = await arrange();
    const key = randomUUID();
    await capture(tenant)(key);
    const conflicting = capture(tenant, { amount: "31" });
    expect((await conflicting(key)).status).toBe(422);

    expect(await conflicting(randomUUID())).toMatchObject(REPLAYED);
    expect(await written()).toMatchObject({ spends: 1, balance: 70 });
  });

  it("409 signature_replayed while the timestamp is valid: a timestamp ahead of the clock", async () => {
    const { tenant, written } = await arrange();
    harness.clock.advanceSeconds(30);
    const send = capture(tenant);
    harness.clock.advanceSeconds(-30);
    expect((await send(randomUUID())).status).toBe(200);

    for (const seconds of [29, 30, 1]) {
      harness.clock.advanceSeconds(seconds);
      await purgeExpiredRows(harness.app);
      expect(await send(randomUUID())).toMatchObject(REPLAYED);
    }
    harness.clock.advanceSeconds(1);
    expect((await send(randomUUID())).status).toBe(401);
    expect(await written()).toMatchObject({ spends: 1, balance: 70 });
  });

  it("200 once: sent with eight keys at the same time", async () => {
    const { tenant, written } = await arrange();
    const send = capture(tenant);

    const responses = await Promise.all(Array.from({ length: 8 }, () => send(randomUUID())));

    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    expect(await written()).toEqual({ ...ONE, balance: 70 });
  });

  it.each([503, 500, 422])(
    "409 signature_replayed after a %d, also with the same key; 200: signed again with the same key",
    async (status) => {
      const { tenant, written } = await arrange();
      const [key, send] = [randomUUID(), capture(tenant)];
      steps.afterMove = async (tx) => {
        if (status === 422) throw invalidField("/body/amount", "maximum", "is too large");
        if (status === 500) throw new Error("a bug");
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
      };
      expect((await send(key)).status).toBe(status);
      steps.afterMove = undefined;

      expect(await send(randomUUID())).toMatchObject(REPLAYED);
      expect(await send()).toMatchObject(REPLAYED);
      expect(await send(key)).toMatchObject(REPLAYED);
      expect(await written()).toEqual({ ...ROLLED_BACK, balance: 100 });
      harness.clock.advanceSeconds(1);
      expect((await capture(tenant)(key)).status).toBe(200);
      expect(await written()).toEqual({ ...ONE, signatures: 2, balance: 70 });
    },
  );

  it("409 signature_replayed: sent again without a key after a 503", async () => {
    const { tenant, written } = await arrange();
    const send = capture(tenant);
    steps.afterMove = async (tx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
    };
    expect((await send()).status).toBe(503);
    steps.afterMove = undefined;

    expect(await send()).toMatchObject(REPLAYED);
    expect(await written()).toEqual({ ...ROLLED_BACK, balance: 100 });
  });

  it("200: another developer has used the same signature and key", async () => {
    const [one, other] = [await arrange(), await arrange()];
    const [key, send] = [randomUUID(), capture(one.tenant)];
    const { signature } = sign(one.tenant, JSON.stringify({ amount: "30" }));
    await capture(other.tenant, { amount: "1" })(key);
    await asSuperuser(`update request_signatures
      set signature_hash = '${sha256Hex(signature)}'
      where tenant_id = '${other.tenant.tenantId}'`);

    const response = await send(key);

    expect([response.status, isReplayed(response)]).toEqual([200, false]);
    expect(await one.written()).toEqual({ ...ONE, balance: 70 });
    expect(await other.written()).toEqual({ ...ONE, balance: 99 });
  });

  it("the purge deletes expired signatures of every tenant", async () => {
    const [one, other] = [await arrange(), await arrange()];
    for (const { tenant } of [one, other, one, other, one]) {
      await capture(tenant, { amount: "1" })(randomUUID());
      harness.clock.advanceSeconds(1);
    }
    harness.clock.advanceSeconds(30);
    await capture(other.tenant, { amount: "1" })(randomUUID());
    harness.clock.advanceSeconds(5);

    await purgeExpiredRows(harness.app);

    expect(await one.written()).toMatchObject({ spends: 3, signatures: 0 });
    expect(await other.written()).toMatchObject({ spends: 3, signatures: 1 });
  });
});

describe("a request of a dashboard session that moves money", () => {
  const { harness, arrange } = useSpending({}, { auth: "tenant" });
  const accounts = accountsOf(harness);

  it("200 for every request: it has no signature; once per key", async () => {
    const { accessToken, developerId } = await accounts.seedAccount();
    const { written } = await arrange(100, developerId as TenantId);
    const send = (key?: string) =>
      harness.send({
        method: "POST",
        url: PREFIX + PATH,
        payload: { amount: "30" },
        headers: {
          authorization: `Bearer ${accessToken}`,
          "x-svc-mode": "live",
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
      });
    const key = randomUUID();

    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(200);
    const first = await send(key);
    expect(await send(key)).toMatchObject({ status: 200, text: first.text });
    expect(await written()).toMatchObject({ spends: 3, records: 1, signatures: 0, balance: 10 });
  });
});

type Post = Awaited<ReturnType<ReturnType<typeof useHarness>["seedTenant"]>>["post"];
