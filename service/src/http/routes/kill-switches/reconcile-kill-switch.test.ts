import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../../test/harness.ts";
import { killSwitchesOf, outcomesOf } from "../../../../test/kill-switches/kill-switches.ts";
import { eventsOf } from "../../../../test/project-seeds.ts";
import { seedWallet } from "../../../../test/wallets/seed-wallet.ts";

describe("kill switches", () => {
  const harness = useHarness();
  const { seed, trigger } = killSwitchesOf(harness);

  async function seedKilled() {
    const tenant = await seed();
    const { agent_id: agentId } = await postAgent(tenant);
    const { body } = await trigger(tenant, { scope: "agent", id: agentId });
    return { tenant, agentId, killed: body, path: `/kill-switch/${body.kill_switch_id}` };
  }

  describe("POST /kill-switch/{kill_switch_id}/reconcile", () => {
    it("200: kills what was resumed or born since, and reports anew", async () => {
      const { tenant, agentId, path } = await seedKilled();
      await tenant.post(`/agents/${agentId}/resume`);
      const { agent_id: childId } = await postAgent(tenant, { parent_agent_id: agentId });
      const { walletId } = await seedWallet(harness.app, { ...tenant, agentId: childId });

      const { status, body } = await tenant.post(`${path}/reconcile`);

      expect(status).toBe(200);
      expect(body).toMatchObject({ status: "completed", run: 2 });
      expect(outcomesOf(body)).toEqual({
        [`agent ${agentId}`]: "killed",
        [`agent ${childId}`]: "killed",
        [`wallet ${walletId}`]: "killed",
      });
      expect((await tenant.get(`/agents/${agentId}`)).body.status).toBe("suspended");
      const events = await eventsOf(harness.app, body.kill_switch_id);
      expect(events.map(({ type }) => type)).toEqual([
        "kill_switch.triggered",
        "kill_switch.completed",
        "kill_switch.reconciled",
        "kill_switch.completed",
      ]);
    });

    it("200: what is still dead stays killed", async () => {
      const { tenant, agentId, path } = await seedKilled();

      const { body } = await tenant.post(`${path}/reconcile`);

      expect(outcomesOf(body)).toEqual({ [`agent ${agentId}`]: "killed" });
      expect(await eventsOf(harness.app, agentId)).toHaveLength(2);
    });
  });

  describe("GET /kill-switch and GET /kill-switch/{kill_switch_id}", () => {
    it("200: returns the report that the trigger returned, to a key without the scope", async () => {
      const { tenant, killed, path } = await seedKilled();
      const reader = await harness.seedKey(tenant.tenantId, { mode: "test", scopes: ["env:read"] });

      expect((await reader.get(path)).body).toEqual(killed);
      const { targets, targets_omitted, proof, ...summary } = killed;
      expect((await reader.get("/kill-switch")).body.data).toEqual([summary]);
      expect(targets).toHaveLength(1);
      expect(targets_omitted).toBe(0);
      expect(proof.revocation_id).toBe(killed.kill_switch_id);
    });

    it("200: pages through the list, newest first", async () => {
      const { tenant, agentId } = await seedKilled();
      for (let count = 0; count < 2; count += 1) {
        harness.clock.advanceSeconds(1);
        await trigger(tenant, { scope: "agent", id: agentId });
      }
      const whole = (await tenant.get("/kill-switch")).body.data;
      const first = (await tenant.get("/kill-switch?limit=2")).body;
      const second = (await tenant.get(`/kill-switch?limit=2&cursor=${first.next_cursor}`)).body;

      expect(whole).toHaveLength(3);
      expect([...first.data, ...second.data]).toEqual(whole);
      expect(second.has_more).toBe(false);
      expect((await tenant.get("/kill-switch?cursor=abc")).status).toBe(422);
    });
  });
});
