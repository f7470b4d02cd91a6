import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../test/project-seeds.ts";
import { systemActor } from "../../audit/actors.ts";
import { withTransaction } from "../../db/transaction.ts";
import { parseUsdMicros } from "../../foundation/money.ts";
import type { Mode, PolicyOperation } from "../../foundation/vocabulary.ts";
import { ensureStarterPolicy, STARTER_RULES } from "./ensure-starter-policy.ts";
import { decide } from "./rules/decide.ts";
import type { PolicyFacts } from "./rules/facts.ts";
import { parsePolicy } from "./rules/parse-rules.ts";

describe("starter policy", () => {
  const harness = useHarness();

  async function arrange(mode: Mode) {
    const tenant = await harness.seedTenant({ mode });
    const ensure = (ready = async () => {}) =>
      withTransaction(harness.app.db, tenant.tenantId, async (tx) => {
        await ready();
        const actor = systemActor({ tenantId: tenant.tenantId, mode });
        return ensureStarterPolicy(tx, harness.app, actor);
      });
    const defaultPolicyId = async () => (await tenant.get("/developers/me")).body.default_policy_id;
    return { tenant, ensure, defaultPolicyId };
  }

  it("is created once by ten concurrent calls, with an audit entry and an event", async () => {
    const { tenant, ensure, defaultPolicyId } = await arrange("test");
    expect(await defaultPolicyId()).toBeNull();

    const allReady = Promise.withResolvers<void>();
    let waiting = 10;
    // Each transaction waits until all have a connection, so that all of them find no policy.
    const ready = async () => {
      waiting -= 1;
      if (waiting === 0) allReady.resolve();
      await allReady.promise;
    };
    const ids = await Promise.all(Array.from({ length: 10 }, () => ensure(ready)));

    const [id = ""] = ids;
    expect(new Set(ids)).toEqual(new Set([id]));
    expect(await ensure()).toBe(id);
    expect(await defaultPolicyId()).toBe(id);
    expect(await auditOf(harness.app, id)).toMatchObject([{ action: "policy.created" }]);
    const { body } = await tenant.get(`/policies/${id}`);
    expect(body).toMatchObject({ starter: true, mode: "test", version: 1, name: "Starter policy" });
    expect(await eventsOf(harness.app, id)).toMatchObject([{ type: "policy.created", data: body }]);
  });

  it("exists for each mode by itself", async () => {
    const { tenant, ensure, defaultPolicyId } = await arrange("live");
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const id = await ensure();

    expect(await defaultPolicyId()).toBe(id);
    expect((await test.get("/developers/me")).body.default_policy_id).toBeNull();
  });

  it.each<[Mode, Partial<PolicyFacts>, string, string, string]>([
    ["test", { payee_first_seen: true, kya_level: "none" }, "1000", "0", "allow_payments"],
    ["test", {}, "1000.000001", "0", "payment_max"],
    ["test", {}, "100", "9900", "allow_payments"],
    ["test", {}, "100.01", "9900", "daily_max"],
    ["test", { operation: "wallet.create" }, "0", "0", "allow_wallets"],
    ["test", { operation: "env.pull" }, "0", "0", "allow_env_pulls"],
    ["test", { operation: "service.add" }, "0", "0", "default"],
    ["live", { kya_level: "none" }, "1", "0", "known_agents_only"],
    ["live", { kya_level: "basic" }, "25", "0", "allow_payments"],
    ["live", { kya_level: "basic" }, "25.01", "0", "payment_max"],
    ["live", { kya_level: "basic" }, "25", "25.01", "daily_max"],
    ["live", { kya_level: "basic", payee_first_seen: true }, "25", "0", "ask_for_new_payees"],
    ["live", { operation: "wallet.create", kya_level: "none" }, "0", "0", "allow_wallets"],
    ["live", { operation: "env.pull", kya_level: "none" }, "0", "0", "allow_env_pulls"],
    ["live", { operation: "on_ramp", kya_level: "attested" }, "1", "0", "default"],
  ])("%s mode, %o of %s USD after %s USD: %s decides", (mode, facts, amount, used, ruleId) => {
    const policy = {
      policyId: "pol_starter",
      version: 1,
      rules: parsePolicy({ rules: STARTER_RULES[mode] }),
    } as const;
    const operation: PolicyOperation = "payment";

    const decision = decide(
      [policy],
      { operation, at: harness.clock.now(), amount_usd: parseUsdMicros(amount), ...facts },
      () => ({ used: () => parseUsdMicros(used) ?? 0n, satisfied: new Set() }),
    );

    expect(decision.ruleId).toBe(ruleId);
  });

  it("a payment of an unknown agent in live mode needs the level basic", () => {
    const rules = parsePolicy({ rules: STARTER_RULES.live });

    const decision = decide(
      [{ policyId: "pol_starter", version: 1, rules }],
      { operation: "payment", at: harness.clock.now(), kya_level: "none" },
      () => ({ used: () => 0n, satisfied: new Set() }),
    );

    expect(decision.kya).toEqual({ requiredLevel: "basic", actualLevel: "none" });
  });
});
