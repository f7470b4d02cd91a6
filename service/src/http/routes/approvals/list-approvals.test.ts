import { describe, expect, it } from "vitest";
import { outcomeOf, seedApproval } from "../../../../test/approvals/seed-approval.ts";
import type { AnyBody } from "../../../../test/harness.ts";
import { useHarness } from "../../../../test/harness.ts";
import { seedAgent } from "../../../../test/services.ts";

describe("GET /approvals", () => {
  const harness = useHarness();
  const idsOf = ({ body }: { body: AnyBody }) => body.data.map(({ approval_id }: AnyBody) => approval_id);

  it("200: newest first, in pages", async () => {
    const tenant = await harness.seedTenant();
    const ids: string[] = [];
    for (let number = 0; number < 3; number += 1) {
      // Two approvals have the same time.
      if (number === 1) harness.clock.advanceSeconds(1);
      ids.unshift(await seedApproval(harness.app, tenant.tenantId));
    }

    const first = await tenant.get("/approvals?limit=2");
    const second = await tenant.get(`/approvals?limit=2&cursor=${first.body.next_cursor}`);

    expect([idsOf(first), first.body.has_more]).toEqual([ids.slice(0, 2), true]);
    expect([idsOf(second), second.body.has_more]).toEqual([ids.slice(2), false]);
    expect(second.body.next_cursor).toBeNull();
  });

  it("200: filtered by status, in which an approval is expired from the second of expires_at", async () => {
    const tenant = await harness.seedTenant();
    const short = await seedApproval(harness.app, tenant.tenantId, { seconds: 60 });
    const long = await seedApproval(harness.app, tenant.tenantId, { seconds: 120 });
    const pending = async () => idsOf(await tenant.get("/approvals?status=pending"));
    const expired = async () => idsOf(await tenant.get("/approvals?status=expired"));

    harness.clock.advanceSeconds(59);
    expect([await pending(), await expired()]).toEqual([[long, short], []]);
    harness.clock.advanceSeconds(1);
    expect([await pending(), await expired()]).toEqual([[long], [short]]);
    expect(idsOf(await tenant.get("/approvals?status=approved"))).toEqual([]);
  });

  it("200: filtered by agent; a key that is bound to agents gets only theirs", async () => {
    const tenant = await harness.seedTenant();
    const agents = [
      await seedAgent(harness.app, { tenantId: tenant.tenantId }),
      await seedAgent(harness.app, { tenantId: tenant.tenantId }),
    ] as const;
    const [one, two] = [
      await seedApproval(harness.app, tenant.tenantId, { agentId: agents[0] }),
      await seedApproval(harness.app, tenant.tenantId, { agentId: agents[1] }),
    ];
    await seedApproval(harness.app, tenant.tenantId);
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [agents[0].toUpperCase()] });

    expect(idsOf(await tenant.get(`/approvals?agent_id=${agents[1].toUpperCase()}`))).toEqual([two]);
    expect(idsOf(await bound.get("/approvals"))).toEqual([one]);
    expect(idsOf(await bound.get(`/approvals?agent_id=${agents[1]}`))).toEqual([]);
  });

  it("200: without approvals of another tenant or mode", async () => {
    const tenant = await harness.seedTenant();
    await seedApproval(harness.app, tenant.tenantId, { mode: "test" });

    expect(idsOf(await tenant.get("/approvals"))).toEqual([]);
    expect(idsOf(await (await harness.seedTenant()).get("/approvals"))).toEqual([]);
  });

  it.each(["status=open", "agent_id=1", "cursor=YQ", "limit=0", "limit=101", "page=1"])(
    "422: invalid query %s",
    async (query) => {
      const tenant = await harness.seedTenant();

      expect(outcomeOf(await tenant.get(`/approvals?${query}`))).toEqual([422, "validation_error"]);
    },
  );
});
