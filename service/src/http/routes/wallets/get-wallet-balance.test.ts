import { describe, expect, it } from "vitest";
import { failingFastState } from "../../../../test/fast-state/failing-fast-state.ts";
import { useHarness } from "../../../../test/harness.ts";
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

  it("200: refresh=true reads the database in test mode; 503 in live mode", async () => {
    const { tenant, read } = await seed();
    await read();
    expect((await read("?refresh=true")).source).toBe("database");
    expect((await read("?refresh=false")).source).toBe("cache");

    const live = await harness.seedKey(tenant.tenantId);
    const { wallet_id } = await createWallet(live);
    const refreshed = await live.get(`/wallets/${wallet_id}/balance?refresh=true`);
    expect([refreshed.status, refreshed.body.code]).toEqual([503, "network_unavailable"]);
    const { body } = await live.get(`/wallets/${wallet_id}/balance`);
    expect([body.source, body.balances[0].total]).toEqual(["database", "0.00"]);
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
