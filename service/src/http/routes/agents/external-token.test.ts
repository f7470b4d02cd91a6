import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../../test/harness.ts";
import { eventsOf } from "../../../../test/project-seeds.ts";
import { createJwksTokenIssuers } from "../../../adapters/external-token-issuers/jwks-token-issuers.ts";

const ISSUER = "https://issuer.example";
const DAY_SECONDS = 86_400;

describe("PATCH /agents/{agent_id} with external_token", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const state: { server?: Server; isDown: boolean; url: string } = { isDown: false, url: "" };
  const harness = useHarness({
    replace: () => ({
      externalTokenIssuers: {
        // A new instance for each call, so that no keys are cached.
        verify: (token) => createJwksTokenIssuers([{ issuer: ISSUER, jwksUrl: state.url }]).verify(token),
      },
    }),
  });

  beforeAll(async () => {
    const server = createServer((_request, response) => {
      response.writeHead(state.isDown ? 503 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1" }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    state.server = server;
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  });
  afterAll(() => state.server?.close());

  const nowSeconds = () => Math.floor(harness.clock.now().getTime() / 1_000);

  function tokenFor(sub: string, lifetimeSeconds = DAY_SECONDS, claims: object = {}) {
    const exp = nowSeconds() + lifetimeSeconds;
    const all = { iss: ISSUER, aud: "http://purser.test", sub, exp, jti: randomUUID(), ...claims };
    return new SignJWT(all).setProtectedHeader({ alg: "EdDSA", kid: "1" }).sign(privateKey);
  }

  async function seed() {
    const tenant = await harness.seedTenant();
    const { agent_id: agentId } = await postAgent(tenant);
    const patch = (external_token: string | null) => tenant.patch(`/agents/${agentId}`, { external_token });
    const subject = `live/${tenant.tenantId}/${agentId}`;
    return { tenant, agentId: agentId as string, subject, patch };
  }

  it("200: the level is attested until the token expires", async () => {
    const { tenant, agentId, subject, patch } = await seed();

    const { status, body } = await patch(await tokenFor(subject));

    expect([status, body.kya]).toMatchObject([
      200,
      {
        level: "attested",
        status: "passed",
        evidence: [{ type: "external_token", issuer: ISSUER, status: "verified" }],
        expires_at: new Date((nowSeconds() + DAY_SECONDS) * 1_000).toISOString(),
      },
    ]);
    const types = (await eventsOf(harness.app, agentId)).map(({ type }) => type);
    expect(types).toEqual(["agent.created", "agent.updated", "agent.kya_changed"]);
    harness.clock.advanceSeconds(DAY_SECONDS);
    expect((await tenant.get(`/agents/${agentId}`)).body.kya).toMatchObject({
      level: "none",
      status: "expired",
      evidence: [{ type: "external_token", status: "expired" }],
    });
  });

  it("200: ids in the claims agent_id, owner and mode; null removes the token", async () => {
    const { tenant, agentId, patch } = await seed();
    const claims = {
      sub: "someone",
      agent_id: agentId.toUpperCase(),
      owner: tenant.tenantId,
      mode: "live",
    };

    expect((await patch(await tokenFor(agentId, 60, claims))).body.kya.level).toBe("attested");
    expect((await patch(null)).body.kya).toMatchObject({ level: "none", evidence: [] });
  });

  it("422: about another agent, for longer than a year, or for another audience", async () => {
    const { tenant, subject, patch } = await seed();
    for (const token of [
      await tokenFor(`live/${tenant.tenantId}/0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10`),
      await tokenFor(subject, 367 * DAY_SECONDS),
      await tokenFor(subject, 60, { aud: "https://other.example" }),
      await tokenFor(subject, 60, { jti: undefined }),
    ]) {
      const { status, body } = await patch(token);
      expect([status, body.errors[0].pointer]).toEqual([422, "/body/external_token"]);
      expect(JSON.stringify(body)).not.toContain(token);
    }
  });

  it("422: a token about the agent with the same id of another developer or mode", async () => {
    const victim = await seed();
    const attacker = await harness.seedTenant();
    const { agentId } = victim;
    await postAgent(attacker, { agent_id: agentId });
    const owner = victim.tenant.tenantId;
    const ofVictim = { owner, mode: "live" };
    const ofTestMode = { owner: attacker.tenantId, mode: "test" };

    for (const token of [
      await tokenFor(victim.subject),
      await tokenFor(agentId),
      await tokenFor(agentId, 60, ofVictim),
      await tokenFor(agentId, 60, ofTestMode),
      await tokenFor(`test/${attacker.tenantId}/${agentId}`),
    ]) {
      const { status, body } = await attacker.patch(`/agents/${agentId}`, {
        external_token: token,
      });
      expect([status, body.errors?.[0]?.pointer]).toEqual([422, "/body/external_token"]);
    }
    expect((await attacker.get(`/agents/${agentId}`)).body.kya.level).toBe("none");
  });

  it("422: a token that was used before, also after its removal", async () => {
    const { subject, patch } = await seed();
    const token = await tokenFor(subject, DAY_SECONDS, { jti: "x".repeat(5_000) });
    await patch(token);
    await patch(null);

    const { status, body } = await patch(token);

    expect([status, body.errors[0].detail]).toEqual([422, expect.stringContaining("used before")]);
    expect((await patch(await tokenFor(subject))).status).toBe(200);
  });

  it("200 once: two calls with the same token at the same time", async () => {
    const { subject, patch } = await seed();
    const token = await tokenFor(subject);

    const answers = await Promise.all([patch(token), patch(token)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it("503: the issuer is down; nothing changes", async () => {
    const { tenant, agentId, subject, patch } = await seed();
    state.isDown = true;

    const { status, body } = await patch(await tokenFor(subject));

    state.isDown = false;
    expect([status, body.code]).toEqual([503, "provider_unavailable"]);
    expect((await tenant.get(`/agents/${agentId}`)).body.kya.level).toBe("none");
  });
});
