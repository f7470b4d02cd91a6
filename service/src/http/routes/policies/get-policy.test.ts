import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { newId } from "../../../foundation/ids.ts";

describe("GET /policies/{policy_id}", () => {
  const harness = useHarness();

  it("404: the id is unknown or malformed, or belongs to another tenant or mode", async () => {
    const tenant = await harness.seedTenant();
    const other = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const { body } = await tenant.post("/policies", { name: "buyer", rules: [] });
    const path = `/policies/${body.policy_id}`;

    const answers = [
      await other.get(path),
      await test.get(path),
      await tenant.get(`/policies/${newId("pol")}`),
      await tenant.get("/policies/pol_1"),
    ];

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, body: { code: "policy_not_found" } });
    }
    expect((await tenant.get(path)).status).toBe(200);
  });
});
