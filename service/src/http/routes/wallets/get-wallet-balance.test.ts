import { describe, expect, it } from "vitest";
import { failingFastState } from "../../../../test/fast-state/failing-fast-state.ts";
import { useHarness } from "../../../../test/harness.ts";
import { useLocalNetwork } from "../../../../test/networks/local-network.ts";
import { createWallet } from "../../../../test/wallets/create-wallet.ts";
import type { App } from "../../../app.ts";

/** Delays `fillCached`, as a slow reader would. */
function slowFills() {
  let hold: Promise<void> | undefined;
  let arrive = () => {};
  return {
    /** The next fills wait until `release` is called. `arrived` resolves when one waits. */
    pause: () => {
      const released = Promise.withResolvers<void>();
      const arrived = Promise.withResolvers<void>();
      hold = released.promise;
      arrive = arrived.resolve;
      return { arrived: arrived.promise, release: released.resolve };
    },
    replace: ({ fastState }: App): Partial<App> => ({
      fastState: new Proxy(fastState, {
        get: (state, name) => {
          const value = Reflect.get(state, name);
          if (typeof value !== "function") return value;
          if (name !== "fillCached") return value.bind(state);
          return async (request: object) => {
            arrive();
            await hold;
            return value.call(state, request);
          };
        },
      }),
    }),
  };
}

describe("GET /wallets/{wallet_id}/balance", () => {
  const failing = failingFastState();
  const slow = slowFills();
  const harness = useHarness({
    replace: (app) => failing.replace({ ...app, ...slow.replace(app) }),
  });

  async function seed() {
    const tenant = await harness.seedTenant({ mode: "test" });
    const wallet = await createWallet(tenant);
    const path = `/wallets/${wallet.wallet_id}`;
    const read = async (query = "") => (await tenant.get(`${path}/balance${query}`)).body;
    const fund = (amount: string) => tenant.post(`${path}/fund`, { amount });
    return { tenant, wallet, read, fund };
  }

  it("200: from the database, then from the cache for 30 seconds", async () => {
    const { wallet, read } = await seed();
    const asOf = harness.clock.now().toISOString();

    const first = await read();
    harness.clock.advanceSeconds(29);
    const second = await read();
    harness.clock.advanceSeconds(1);
    const third = await read();

    expect(first).toEqual({
      object: "wallet_balances",
      wallet_id: wallet.wallet_id,
      network: "base",
      balances: wallet.balances,
      source: "database",
      as_of: asOf,
      stale: false,
    });
    expect(second).toEqual({ ...first, source: "cache" });
    expect(third).toMatchObject({
      ...{ source: "database", as_of: harness.clock.now().toISOString() },
    });
  });

  it("200: a caller sees its own funding at once", async () => {
    const { read, fund } = await seed();
    await read();

    for (let count = 1; count <= 3; count += 1) {
      await fund("1");
      expect((await read()).balances[0].total).toBe(`${count}.00`);
    }
  });

  it("200: a slow reader does not store the balance from before a funding", async () => {
    const { read, fund } = await seed();
    const { arrived, release } = slow.pause();
    const slowRead = read();
    await arrived;

    await fund("1");
    release();

    expect((await slowRead).balances[0].total).toBe("0.00");
    expect(await read()).toMatchObject({
      source: "database",
      balances: [{ total: "1.00" }, {}, {}, {}],
    });
    expect(await read()).toMatchObject({
      source: "cache",
      balances: [{ total: "1.00" }, {}, {}, {}],
    });
  });

  it("200: concurrent fundings and reads; after each funding the balance is at least its own", async () => {
    const { read, fund } = await seed();
    const seen: boolean[] = [];

    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let count = 0; count < 8; count += 1) {
          const { body } = await fund("1");
          const total = (await read()).balances[0].total;
          seen.push(Number(total) >= Number(body.balances[0].total));
        }
      }),
    );

    expect(seen).toEqual(Array(32).fill(true));
    expect((await read()).balances[0].total).toBe("32.00");
  });

  it("200: refresh=true reads the database in test mode", async () => {
    const { read } = await seed();
    await read();
    expect((await read("?refresh=true")).source).toBe("database");
    expect((await read("?refresh=false")).source).toBe("cache");
  });

  it("503: refresh=true for a live wallet whose network has no node; without it 200 from the ledger, stale", async () => {
    const live = await harness.seedTenant();
    const { wallet_id } = await createWallet(live);
    const refreshed = await live.get(`/wallets/${wallet_id}/balance?refresh=true`);
    expect([refreshed.status, refreshed.body.code]).toEqual([503, "network_unavailable"]);
    const { body } = await live.get(`/wallets/${wallet_id}/balance`);
    expect(body).toMatchObject({ source: "database", stale: true, balances: [{ total: "0.00" }, {}, {}, {}] });
  });

  it.each(["readCached", "fillCached"] as const)("200: from the database if %s fails", async (method) => {
    const { read } = await seed();
    const answer = await failing.while(method, read);
    expect(answer).toMatchObject({ source: "database" });
  });

  it("200: a funding succeeds if the cache cannot be cleared", async () => {
    const { fund } = await seed();
    const { status } = await failing.while("clearCached", () => fund("1"));
    expect(status).toBe(200);
  });

  it("422: a wrong refresh, and an unknown parameter", async () => {
    const { read } = await seed();
    expect((await read("?refresh=maybe")).status).toBe(422);
    expect((await read("?fresh=true")).status).toBe(422);
  });
});

describe("GET /wallets/{wallet_id}/balance of a live wallet", () => {
  const base = useLocalNetwork("base");
  const harness = useHarness({ environment: base.environment });

  async function seed() {
    const tenant = await harness.seedTenant();
    const wallet = await createWallet(tenant);
    const read = (query = "") => tenant.get(`/wallets/${wallet.wallet_id}/balance${query}`);
    return { tenant, wallet, read };
  }

  it("200: the total is that of the chain, also if the account is not deployed; only the ledger can be spent", async () => {
    const { wallet, read } = await seed();
    await base.mint(wallet.address, 12_345_678n);

    const { status, body } = await read();

    expect([status, body]).toMatchObject([200, { source: "chain", stale: false }]);
    expect(body.balances).toMatchObject([
      {
        ...{ token: "USDC", total: "12.345678", available: "0.00", held: "0.00" },
        ...{ base_units: "12345678", usd_value: "12.345678" },
      },
      { token: "USDT", total: "0.00", contract: null },
      {},
      {},
    ]);
  });

  it("200: cached for 30 seconds, unless refresh=true", async () => {
    const { wallet, read } = await seed();
    await read();
    await base.mint(wallet.address, 1_000_000n);

    const cached = await read();
    const refreshed = await read("?refresh=true");
    harness.clock.advanceSeconds(30);
    const later = await read();

    const totals = [cached, refreshed, later].map(({ body }) => [body.source, body.balances[0].total]);
    expect(totals).toEqual([
      ["cache", "0.00"],
      ["chain", "1.00"],
      ["chain", "1.00"],
    ]);
  });

  it("200: from the ledger and stale while no node answers, also from the cache; 503 with refresh=true", async () => {
    const { wallet, read } = await seed();
    await base.mint(wallet.address, 1_000_000n);
    for (const node of base.nodes) node.intercept(() => ({ status: 502, body: {} }));

    const [first, second, refreshed] = [await read(), await read(), await read("?refresh=true")];

    expect(first.body).toMatchObject({ source: "database", stale: true, balances: [{ total: "0.00" }, {}, {}, {}] });
    expect(second.body).toMatchObject({ source: "cache", stale: true });
    expect([refreshed.status, refreshed.body.code]).toEqual([503, "network_unavailable"]);
  });

  it("503: every node belongs to another chain; an operator is alerted", async () => {
    const { read } = await seed();
    harness.clock.advanceSeconds(10);
    for (const node of base.nodes) node.intercept(() => ({ status: 200, body: { result: "0x89" } }));

    expect((await read("?refresh=true")).status).toBe(503);
    const alarms = harness.logLines.filter((line) => line.includes("operator action required"));
    expect(alarms).toHaveLength(2);
    expect(alarms[0]).toContain('"chainId":"137"');
  });

  it("404: a wallet of another tenant, also with refresh=true; no chain is asked", async () => {
    const { wallet } = await seed();
    const other = await harness.seedTenant();
    const answer = await other.get(`/wallets/${wallet.wallet_id}/balance?refresh=true`);
    expect([answer.status, answer.body.code]).toEqual([404, "wallet_not_found"]);
    expect(base.nodes.flatMap(({ methods }) => methods)).toEqual([]);
  });
});
