import { describe, expect, it } from "vitest";
import { outcomeOf, seedApproval } from "../../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../../test/harness.ts";
import { SCOPES } from "../../../foundation/vocabulary.ts";

describe("POST /approvals/{approval_id}/deny", () => {
  const harness = useHarness();

  it("200, then 409 for approving and denying it", async () => {
    const tenant = await harness.seedTenant({ scopes: SCOPES });
    const path = `/approvals/${await seedApproval(harness.app, tenant.tenantId)}`;

    const { status, body } = await tenant.post(`${path}/deny`, { note: "too expensive" });

    expect([status, body.status]).toEqual([200, "denied"]);
    expect(body.votes).toMatchObject([{ decision: "denied", note: "too expensive" }]);
    for (const decision of ["approve", "deny"]) {
      const again = await tenant.post(`${path}/${decision}`, { note: "again" });
      expect(outcomeOf(again)).toEqual([409, "conflict"]);
      expect(again.body.detail).toBe("The approval is already denied.");
    }
  });
});
