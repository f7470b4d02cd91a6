import { generateKeyPairSync, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { postAgent, proofOf, provenKey } from "../../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";

describe("PATCH /agents/{agent_id}", () => {
  const harness = useHarness();

  it("200: changes the sent fields, merges metadata, and records the change", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant, {
      description: "d",
      metadata: { a: "1", b: "2" },
    });
    harness.clock.advanceSeconds(1);

    const { status, body } = await tenant.patch(`/agents/${agent_id}`, {
      name: "renamed",
      description: null,
      software: { name: "s" },
      metadata: { a: null, c: "3" },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "renamed", description: null, software: { name: "s" } });
    expect(body.metadata).toEqual({ b: "2", c: "3" });
    expect(body.updated_at).toBe(harness.clock.now().toISOString());
    const [, entry] = await auditOf(harness.app, agent_id);
    expect(entry).toMatchObject({
      action: "agent.updated",
      facts: { fields: ["name", "description", "software", "metadata"] },
    });
  });

  it("200, nothing recorded: an empty body, or the current values", async () => {
    const tenant = await harness.seedTenant();
    const agent = await postAgent(tenant, { metadata: { b: "2", a: "1" } });
    harness.clock.advanceSeconds(1);

    for (const body of [{}, { name: agent.name, metadata: { a: "1" }, description: null }]) {
      const response = await tenant.patch(`/agents/${agent.agent_id}`, body);
      expect([response.status, response.body.updated_at]).toEqual([200, agent.updated_at]);
    }
    expect(await auditOf(harness.app, agent.agent_id)).toHaveLength(1);
  });

  it("200: a first proven key raises the level and sends agent.kya_changed; a second does not", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);

    const first = await tenant.patch(`/agents/${agent_id}`, provenKey(agent_id));
    const second = await tenant.patch(`/agents/${agent_id}`, provenKey(agent_id));

    expect(first.body.kya.level).toBe("basic");
    expect(second.body.public_keys).toHaveLength(2);
    const types = (await eventsOf(harness.app, agent_id)).map(({ type }) => type);
    expect(types).toEqual(["agent.created", "agent.updated", "agent.kya_changed", "agent.updated"]);
  });

  it("409: a sixth key; 200: a key that the agent already has", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);
    const key = provenKey(agent_id);
    const path = `/agents/${agent_id}`;
    for (const body of [key, ...Array.from({ length: 4 }, () => provenKey(agent_id)), key]) {
      expect((await tenant.patch(path, body)).status).toBe(200);
    }

    const sixth = await tenant.patch(path, provenKey(agent_id));

    expect([sixth.status, sixth.body.code]).toEqual([409, "conflict"]);
  });

  it("422: a proof for another agent", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const { x = "" } = publicKey.export({ format: "jwk" });

    const { status, body } = await tenant.patch(`/agents/${agent_id}`, {
      public_key: x,
      proof: proofOf(privateKey, randomUUID(), x),
    });

    expect([status, body.errors[0].pointer]).toEqual([422, "/body/proof"]);
  });

  it("422: a past expiry, an unknown policy, or a token if no issuer is configured", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);
    const pointerOf = async (body: object) => (await tenant.patch(`/agents/${agent_id}`, body)).body.errors[0].pointer;

    expect(await pointerOf({ expires_at: "2026-11-21T09:00:00.000Z" })).toBe("/body/expires_at");
    expect(await pointerOf({ policy_id: "pol_x" })).toBe("/body/policy_id");
    expect(await pointerOf({ external_token: "a.b.c" })).toBe("/body/external_token");
  });

  it("409: the agent is revoked or expired", async () => {
    const tenant = await harness.seedTenant();
    const revoked = await postAgent(tenant);
    await tenant.post(`/agents/${revoked.agent_id}/revoke`);
    const expires_at = new Date(harness.clock.now().getTime() + 1_000).toISOString();
    const expired = await postAgent(tenant, { expires_at });
    harness.clock.advanceSeconds(1);

    for (const { agent_id } of [revoked, expired]) {
      const { status, body } = await tenant.patch(`/agents/${agent_id}`, { name: "b" });
      expect([status, body.code]).toEqual([409, "conflict"]);
    }
  });
});
