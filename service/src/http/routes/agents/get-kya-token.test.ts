import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf } from "../../../../test/project-seeds.ts";

const AUDIENCE = "https://shop.example/path?a=1";

describe("GET /agents/{agent_id}/kya-token", () => {
  const harness = useHarness();

  const pathOf = (agentId: string, audience = AUDIENCE) =>
    `/agents/${agentId}/kya-token?audience=${encodeURIComponent(audience)}`;

  it("200: a token that the published keys verify, for ten minutes", async () => {
    const tenant = await harness.seedTenant();
    const agent = await postAgent(tenant);
    const jwks = (await harness.send({ url: "/.well-known/jwks.json" })).body;

    const { status, body } = await tenant.get(pathOf(agent.agent_id));

    expect(status).toBe(200);
    expect(body).toEqual({
      object: "kya_token",
      token: expect.any(String),
      expires_at: "2026-11-21T10:10:00.000Z",
      jwks_url: "http://purser.test/.well-known/jwks.json",
    });
    const verify = (audience: string, at: Date) =>
      jwtVerify(body.token, createLocalJWKSet(jwks), {
        issuer: "http://purser.test",
        audience,
        typ: "kya+jwt",
        algorithms: ["EdDSA"],
        currentDate: at,
      });
    const { payload, protectedHeader } = await verify(AUDIENCE, harness.clock.now());
    expect(protectedHeader.kid).toBe(harness.app.signer.keyId);
    expect(payload).toMatchObject({
      sub: `live/${tenant.tenantId}/${agent.agent_id}`,
      kya_level: "none",
      owner: tenant.tenantId,
      name: "buyer",
      mode: "live",
      jti: expect.any(String),
    });
    await expect(verify("https://other.example", harness.clock.now())).rejects.toThrow("aud");
    await expect(verify(AUDIENCE, new Date("2026-11-21T10:10:00Z"))).rejects.toThrow("exp");
  });

  it("200: the audit trail names the agent, the audience and the token's id", async () => {
    const tenant = await harness.seedTenant();
    const agent = await postAgent(tenant);

    const { body } = await tenant.get(pathOf(agent.agent_id));

    const entries = await auditOf(harness.app, agent.agent_id);
    expect(entries.at(-1)).toMatchObject({
      action: "agent.kya_token_issued",
      subject: { type: "agent", id: agent.agent_id },
      facts: { audience: AUDIENCE, jti: decodeJwt(body.token).jti, kya_level: "none" },
    });
  });

  it("200: agents of two developers with the same id have different subjects", async () => {
    const [first, second] = [await harness.seedTenant(), await harness.seedTenant()];
    const { agent_id } = await postAgent(first);
    await postAgent(second, { agent_id });

    const subjects = await Promise.all(
      [first, second].map(async (tenant) => decodeJwt((await tenant.get(pathOf(agent_id))).body.token).sub),
    );

    expect(new Set(subjects).size).toBe(2);
  });

  it("200: with a key that is bound to the agent; 404: to another agent", async () => {
    const tenant = await harness.seedTenant();
    const [own, other] = [await postAgent(tenant), await postAgent(tenant)];
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [own.agent_id] });

    expect((await bound.get(pathOf(own.agent_id))).status).toBe(200);
    expect((await bound.get(pathOf(other.agent_id))).status).toBe(404);
  });

  it("403: an agent or an ancestor that is not active", async () => {
    const tenant = await harness.seedTenant();
    const parent = await postAgent(tenant);
    const child = await postAgent(tenant, { parent_agent_id: parent.agent_id });
    await tenant.post(`/agents/${parent.agent_id}/suspend`);

    for (const { agent_id } of [parent, child]) {
      const { status, body } = await tenant.get(pathOf(agent_id));
      expect([status, body.code]).toEqual([403, "agent_suspended"]);
    }
  });

  it.each(["", "?audience=", "?audience=a%20b", `?audience=${"x".repeat(201)}`])("422: %j", async (query) => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);

    const { status, body } = await tenant.get(`/agents/${agent_id}/kya-token${query}`);

    expect([status, body.errors[0].pointer]).toEqual([422, "/query/audience"]);
  });
});
