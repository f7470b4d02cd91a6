import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../test/accounts.ts";
import { failingFastState } from "../../../test/fast-state/failing-fast-state.ts";
import { PREFIX, useHarness } from "../../../test/harness.ts";

describe("GET /limits", () => {
  const store = failingFastState();
  const harness = useHarness({
    settings: { keyBucket: { capacity: 40, refillPerSecond: 4 } },
    replace: store.replace,
  });

  it("200: equals the RateLimit headers; each call takes one token", async () => {
    const tenant = await harness.seedTenant();
    await tenant.get("/developers/me");

    const { status, body, headers } = await tenant.get("/limits");

    expect(status).toBe(200);
    expect(body).toEqual({
      object: "limits",
      data: [
        {
          name: "requests",
          scope: "key",
          limit: 40,
          remaining: 38,
          reset_seconds: 1,
          policy: "40;w=10",
        },
      ],
    });
    expect(headers).toMatchObject({ "ratelimit-remaining": "38", "ratelimit-policy": "40;w=10" });
    expect((await tenant.get("/limits")).body.data[0].remaining).toBe(37);
  });

  it("200: the key has its own rate_limit_per_minute", async () => {
    const tenant = await harness.seedTenant();
    const own = await harness.seedKey(tenant.tenantId, { rateLimitPerMinute: 6 });

    expect((await own.get("/limits")).body.data).toMatchObject([
      { limit: 6, remaining: 5, reset_seconds: 10, policy: "6;w=60" },
    ]);
  });

  it("200: the key has no scopes, or is bound to agents or projects", async () => {
    const tenant = await harness.seedTenant();
    for (const seed of [
      { scopes: [] },
      { agentIds: ["6f1c2f9e-4d0b-4b57-9d5e-0d7f3f1e2a11"] },
      { projectIds: ["proj_00000000000000000000000000"] },
    ]) {
      const caller = await harness.seedKey(tenant.tenantId, seed);
      expect((await caller.get("/limits")).status).toBe(200);
    }
  });

  it("200: an empty list for a dashboard session", async () => {
    const { accessToken } = await accountsOf(harness).seedAccount();
    const headers = { authorization: `Bearer ${accessToken}`, "x-svc-mode": "live" };

    const { body } = await harness.send({ method: "GET", url: `${PREFIX}/limits`, headers });

    expect(body).toEqual({ object: "limits", data: [] });
  });

  it("503: the fast state does not answer", async () => {
    const tenant = await harness.seedTenant();

    const response = await store.while("readBucket", () => tenant.get("/limits"));

    expect(response).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
  });
});
