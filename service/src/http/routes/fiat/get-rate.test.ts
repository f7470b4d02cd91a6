import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";

describe("GET /fiat/rate", () => {
  const harness = useHarness({ vendors: true });
  const callsToBridge = () =>
    harness.sandbox.requests("bridge").filter(({ operation }) => operation === "getExchangeRate").length;
  const inSeconds = (seconds: number) => new Date(harness.clock.now().getTime() + seconds * 1_000).toISOString();
  /** So that the next read does not find the rate of an earlier test. */
  const expireRates = () => harness.clock.advanceSeconds(31);

  it("200: usdc in usd by default, one dollar minus the spread, without a call to Bridge", async () => {
    const tenant = await harness.seedTenant();

    const { status, body } = await tenant.get("/fiat/rate");

    expect(status).toBe(200);
    expect(body).toEqual({
      object: "exchange_rate",
      ...{ source: "usdc", dest: "usd" },
      ...{ rate: "0.9985", inverse_rate: "1.00150225", mid_rate: "1.0000", spread_bps: 15 },
      provider: "bridge",
      ...{ as_of: inSeconds(0), expires_at: inSeconds(30) },
    });
    expect(callsToBridge()).toBe(0);
  });

  it.each([
    ["USD", "pyusd"],
    ["usdt", "Usd"],
  ])("200: %s in %s", async (source, dest) => {
    const tenant = await harness.seedTenant({ mode: "test" });

    const { body } = await tenant.get(`/fiat/rate?source=${source}&dest=${dest}`);

    expect(body).toMatchObject({ source: source.toLowerCase(), dest: dest.toLowerCase(), rate: "0.9985" });
  });

  it("200: usdc in eur and back, by Bridge's rates, which are read once in 30 seconds for all callers", async () => {
    expireRates();
    const [first, second] = [await harness.seedTenant(), await harness.seedTenant({ mode: "test" })];
    const before = callsToBridge();

    const [away, back] = await Promise.all([
      first.get("/fiat/rate?source=usdc&dest=eur"),
      second.get("/fiat/rate?source=eur&dest=usdc"),
    ]);
    harness.clock.advanceSeconds(29);
    await first.get("/fiat/rate?source=eur&dest=usdc");

    expect(callsToBridge()).toBe(before + 1);
    // The simulated Bridge sells a dollar for 0.9246 euros, and buys one for 0.9154.
    expect(away.body).toMatchObject({ mid_rate: "0.9246", rate: "0.9232131" });
    expect(back.body).toMatchObject({ mid_rate: "1.09241861", rate: "1.09077999" });
    harness.clock.advanceSeconds(1);
    await first.get("/fiat/rate?source=usdc&dest=eur");
    expect(callsToBridge()).toBe(before + 2);
  });

  it("200: no spread for a developer with own Bridge keys", async () => {
    const tenant = await harness.seedTenant();
    await tenant.put("/developers/provider-keys/bridge", { credentials: { api_key: "sandbox-acme" } });

    const { body } = await tenant.get("/fiat/rate");

    expect(body).toMatchObject({ rate: "1.0000", mid_rate: "1.0000", spread_bps: 0 });
  });

  it.each(["source=usdc&dest=jpy", "source=usdt&dest=eur", "source=usd&dest=eur", "source=eur&dest=mxn"])(
    "422: %s is not a pair",
    async (query) => {
      const tenant = await harness.seedTenant();

      const { status, body } = await tenant.get(`/fiat/rate?${query}`);

      expect([status, body.code]).toEqual([422, "unsupported_pair"]);
    },
  );

  it.each(["source=usdc&dest=USDC", "source=us", "source=", "dest=dollars", "dest=u%00d", "amount=1"])(
    "422: %s",
    async (query) => {
      const tenant = await harness.seedTenant();

      const { status, body } = await tenant.get(`/fiat/rate?${query}`);

      expect([status, body.code]).toEqual([422, "validation_error"]);
    },
  );

  it("503: Bridge does not respond; the failure is not cached", async () => {
    expireRates();
    const tenant = await harness.seedTenant();
    harness.sandbox.force({ vendor: "bridge", operation: "getExchangeRate", outcome: "error_applied", times: 3 });

    const failed = await tenant.get("/fiat/rate?dest=mxn");
    const later = await tenant.get("/fiat/rate?dest=mxn");

    expect([failed.status, failed.body.code]).toEqual([503, "provider_unavailable"]);
    expect(later.status).toBe(200);
  });
});

describe("GET /fiat/rate without Bridge keys", () => {
  const harness = useHarness();

  it("409: a currency other than the dollar; the response says how to add keys", async () => {
    const tenant = await harness.seedTenant();

    const { status, body } = await tenant.get("/fiat/rate?dest=eur");

    expect([status, body.code]).toEqual([409, "provider_not_configured"]);
    expect(body.next_action).toMatchObject({ type: "save_provider_keys", actor: "human" });
    expect((await tenant.get("/fiat/rate")).status).toBe(200);
  });
});
