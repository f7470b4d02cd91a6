import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { seedPayer } from "../../../../test/payments/pay.ts";

const ADDRESS = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const WALLET = "wal_01jz000000000000000000000x";
const AGENT = "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10";
const ALLOW = { id: "allow", effect: "allow", operation: "payment" };
const LARGEST = "999999999999999999.999999";
const deny = (when: object, more: object = {}) => ({ id: "no", effect: "deny", when, ...more });

describe("conditions of policies", () => {
  const harness = useHarness();

  it.each([
    ["a token in lowercase", { token: { eq: "usdc" } }, { token: { eq: "USDC" } }],
    ["a network in another case", { network: { eq: "Base" } }, { network: { eq: "base" } }],
    ["a CAIP-2 id", { network: { in: ["eip155:8453"] } }, { network: { in: ["base"] } }],
    [
      "a CAIP-2 id of Solana",
      { network: { eq: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" } },
      { network: { eq: "solana" } },
    ],
    ["spaces around a payee", { payee: { eq: ` ${ADDRESS} ` } }, { payee: { eq: ADDRESS } }],
    ["an address in lowercase", { payee: { eq: ADDRESS.toLowerCase() } }, { payee: { eq: ADDRESS } }],
    ["the same value twice", { token: { in: ["usdc", "USDC"] } }, { token: { in: ["USDC"] } }],
    ["a provider in another case", { provider: { eq: "Neon " } }, { provider: { eq: "neon" } }],
    ["a service", { service: { eq: "Neon/Postgres" } }, { service: { eq: "neon/postgres" } }],
    ["a category", { category: { in: ["Database"] } }, { category: { in: ["database"] } }],
    ["a plan", { plan: { not_in: ["FREE"] } }, { plan: { not_in: ["free"] } }],
  ])("201: gets the form of operations: %s", async (_case, when, stored) => {
    const tenant = await harness.seedTenant();

    const created = await tenant.post("/policies", { name: "one", rules: [deny(when)] });

    expect(created.status).toBe(201);
    expect(created.body.rules[0].when).toEqual(stored);
    expect(created.body.warnings).toBeUndefined();
    const path = `/policies/${created.body.policy_id}`;
    await tenant.patch(path, { rules: [] });
    const changed = await tenant.patch(path, { rules: [deny(when)] });
    expect(changed.body.rules[0].when).toEqual(stored);
  });

  it.each([
    { token: { eq: "usdc" } },
    { network: { in: ["Base"] } },
    { network: { eq: "eip155:8453" } },
    { payee: { in: [` ${ADDRESS.toLowerCase()} `] } },
  ])("403: a deny rule refuses the payment that it means: %j", async (when) => {
    const payer = await seedPayer(harness, { rules: [ALLOW, deny(when)] });

    const { status, body } = await payer.pay({ to: ADDRESS });

    expect([status, body.code, body.decision.rule_id]).toEqual([403, "policy_denied", "no"]);
  });

  it.each<[object, string]>([
    [{ token: { eq: "DAI" } }, "token/eq"],
    [{ token: { in: ["USDC", "DAI"] } }, "token/in/1"],
    [{ token: { not_in: ["USDC", "USDT", "PYUSD", "EURC"] } }, "token"],
    [{ network: { eq: "bitcoin" } }, "network/eq"],
    [{ network: { eq: "eip155:1337" } }, "network/eq"],
    [{ payee: { eq: WALLET } }, "payee/eq"],
    [{ payee: { in: [ADDRESS, AGENT] } }, "payee/in/1"],
    [{ payee: { eq: "0x12" } }, "payee/eq"],
    [{ payee: { eq: "  " } }, "payee/eq"],
    [{ payee: { eq: ADDRESS, not_in: [ADDRESS.toLowerCase()] } }, "payee"],
    [{ provider: { eq: "Neon Inc" } }, "provider/eq"],
    [{ service: { eq: "postgres" } }, "service/eq"],
    [{ provider: { eq: "neon", in: ["supabase"] } }, "provider"],
    [{ category: { eq: "database", not_in: ["database"] } }, "category"],
    [{ amount_usd: { gt: "10", lt: "5" } }, "amount_usd"],
    [{ amount_usd: { gt: "10", lte: "10" } }, "amount_usd"],
    [{ amount_usd: { lte: "0" } }, "amount_usd"],
    [{ amount_usd: { gt: LARGEST, lt: LARGEST } }, "amount_usd"],
    [{ amount_usd: { eq: "5", gte: "6" } }, "amount_usd"],
    [{ monthly_cost_usd: { lt: "0.00" } }, "monthly_cost_usd"],
    [{ kya_level: { eq: "none", in: ["verified"] } }, "kya_level"],
    [{ kya_level: { not_in: ["none", "basic", "verified", "attested"] } }, "kya_level"],
    [{ time_utc: { inside: "08:00-10:00", outside: "07:00-11:00" } }, "time_utc"],
    [{ plan: { in: [] } }, "plan/in"],
  ])("422: a rule that refuses, asks or limits can match nothing: %j", async (when, at) => {
    const tenant = await harness.seedTenant();
    const budget = { max: "5", period: "calendar_day" };
    for (const more of [{}, { effect: "require_approval" }, { effect: "limit", budget }]) {
      const { status, body } = await tenant.post("/policies", {
        ...{ name: "no", rules: [deny(when, more)] },
      });

      expect(status).toBe(422);
      expect(body.errors[0].pointer).toBe(`/body/rules/0/when/${at}`);
    }
    const { policy_id } = (await tenant.post("/policies", { name: "x", rules: [] })).body;
    const changed = await tenant.patch(`/policies/${policy_id}`, { rules: [deny(when)] });
    expect(changed.status).toBe(422);
  });

  it.each([
    ["payment", { monthly_cost_usd: { gt: "1" } }, "monthly_cost_usd"],
    ["payment", { provider: { eq: "neon" } }, "provider"],
    ["service.add", { amount_usd: { gt: "1" } }, "amount_usd"],
    ["service.upgrade", { token: { eq: "USDC" } }, "token"],
    ["wallet.create", { payee_first_seen: true }, "payee_first_seen"],
    ["env.pull", { network: { eq: "base" } }, "network"],
  ])("422: the operation %s never has the fact of %j", async (operation, when, fact) => {
    const tenant = await harness.seedTenant();

    const rules = [deny(when, { operation })];
    const { status, body } = await tenant.post("/policies", { name: "no", rules });

    expect([status, body.errors[0]]).toMatchObject([
      422,
      { pointer: `/body/rules/0/when/${fact}`, code: "never_matches" },
    ]);
  });

  it("an allow rule: 422 for a list that matches nothing or excepts nothing, else a warning", async () => {
    const tenant = await harness.seedTenant();
    const allow = async (payee: object) =>
      tenant.post("/policies", { name: "a", rules: [{ ...ALLOW, when: { payee } }] });

    for (const payee of [{ eq: WALLET }, { in: [WALLET, AGENT] }, { not_in: [WALLET] }]) {
      expect((await allow(payee)).status).toBe(422);
    }
    const kept = await allow({ in: [ADDRESS, AGENT] });
    expect([kept.status, kept.body.warnings]).toEqual([
      201,
      [{ pointer: "/rules/0/when/payee/in/1", code: "never_matches", detail: expect.any(String) }],
    ]);
  });

  it("201 with a warning: a host name, which a later kind of payee may be", async () => {
    const tenant = await harness.seedTenant();
    const rules = [deny({ payee: { in: ["api.example.com", ADDRESS] } })];

    const created = await tenant.post("/policies", { name: "hosts", rules });

    const warnings = [{ pointer: "/rules/0/when/payee/in/0", code: "never_matches", detail: expect.any(String) }];
    expect(created.body).toMatchObject({ rules, warnings });
    const path = `/policies/${created.body.policy_id}`;
    expect((await tenant.get(path)).body.warnings).toEqual(warnings);
  });

  it("200: evaluating understands facts as rules are understood", async () => {
    const tenant = await harness.seedTenant();
    const rules = [ALLOW, deny({ network: { eq: "eip155:8453" }, token: { eq: "USDC" } })];

    const { body } = await tenant.post("/policies/evaluate", {
      ...{ operation: "payment", policy: { rules } },
      facts: { network: "Base", token: "usdc" },
    });

    expect(body.outcome).toBe("deny");
  });
});
