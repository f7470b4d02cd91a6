import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";

describe("GET /developers/me", () => {
  const harness = useHarness();

  it("200: the profile of the key's developer, with the rate limit headers", async () => {
    const tenant = await harness.seedTenant();

    const answer = await tenant.get("/developers/me");

    expect(answer).toMatchObject({
      status: 200,
      body: { object: "developer", developer_id: tenant.tenantId, email_verified: true },
    });
    expect(answer.headers).toMatchObject({
      "x-svc-mode": "live",
      "ratelimit-limit": "1000",
      "ratelimit-remaining": "999",
      "cache-control": "no-store",
    });
  });

  it("401: a repeated nonce", async () => {
    const tenant = await harness.seedTenant();
    const nonce = "a-nonce-that-is-used-twice";

    expect((await tenant.get("/developers/me", { nonce })).status).toBe(200);
    expect((await tenant.get("/developers/me", { nonce })).status).toBe(401);
  });
});
