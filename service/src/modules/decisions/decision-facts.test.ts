import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { withRoundTrips } from "../../../test/round-trips.ts";
import { withTransaction } from "../../db/transaction.ts";
import { newId } from "../../foundation/ids.ts";
import { readDecisionFacts, withRules } from "./decision-facts.ts";
import { readStoredFacts } from "./queries.ts";

const DENY = { id: "deny", effect: "deny" };
const ALLOW = { id: "allow", effect: "allow" };

describe("the facts of a decision", () => {
  const harness = useHarness();

  it("reads the rules of a version once, with one more statement, and those of the next version anew", async () => {
    const tenant = await harness.seedTenant();
    const agentId = randomUUID();
    const { tenantId } = tenant;
    const query = { tenantId, mode: "live", agentId, walletId: null, projectId: null } as const;
    const policy = { name: "p", rules: [DENY], applies_to: { agent_ids: [agentId] } };
    const { policy_id } = (await tenant.post("/policies", policy)).body;
    const read = async () => {
      const call = () => readDecisionFacts(harness.app.db, { ...query, at: harness.clock.now() });
      const { result, roundTrips } = await withRoundTrips(call);
      const ids = result.policies.flatMap(({ rules }) => rules.rules.map(({ id }) => id));
      return { ids, roundTrips };
    };

    expect(await read()).toEqual({ ids: ["deny"], roundTrips: ["select", "select"] });
    expect(await read()).toEqual({ ids: ["deny"], roundTrips: ["select"] });
    await tenant.patch(`/policies/${policy_id}`, { rules: [ALLOW] });
    expect(await read()).toEqual({ ids: ["allow"], roundTrips: ["select", "select"] });
  });

  it("has the rules of a version that is too large to keep", async () => {
    const { tenantId } = await harness.seedTenant();
    const version = { policyId: newId("pol"), version: 1 };
    const { app } = harness;
    const rules = [{ ...DENY, when: { payee: { in: ["a".repeat(17 * 1024 * 1024)] } } }];
    const createdAt = app.clock.now();
    await withTransaction(app.db, tenantId, async (tx) => {
      const subjects = { agentIds: [], walletIds: [], projectIds: [] };
      await tx
        .insertInto("policies")
        .values({
          ...{ tenantId, ...version, ...subjects, mode: "live", name: "p", rules: "[]" },
          ...{ approvals: "{}", createdAt, updatedAt: createdAt },
        })
        .execute();
      const content = JSON.stringify({ ...subjects, name: "p", rules, approvals: {} });
      await tx
        .insertInto("policyVersions")
        .values({ tenantId, ...version, content, createdAt })
        .execute();
    });
    const query = {
      tenantId,
      mode: "live",
      agentId: null,
      walletId: null,
      projectId: null,
    } as const;
    const stored = await readStoredFacts(app.db, { ...query, at: createdAt });
    const policies = [{ ...version, isStarter: false, members: [], namesSubject: true }];

    for (const _repeated of [1, 2]) {
      const facts = await withRules(app.db, tenantId, { ...stored, policies });
      expect(facts.policies[0]?.rules.rules.map(({ id }) => id)).toEqual(["deny"]);
    }
  });
});
