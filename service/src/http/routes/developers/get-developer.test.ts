import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";

describe("GET /developers/me", () => {
  const harness = useHarness();

  it("200: shows the profile of the developer whose key signed", async () => {
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

  it("401: a nonce is good once", async () => {
    const tenant = await harness.seedTenant();
    const nonce = "a-nonce-that-is-used-twice";

    expect((await tenant.get("/developers/me", { nonce })).status).toBe(200);
    expect((await tenant.get("/developers/me", { nonce })).status).toBe(401);
  });
});
