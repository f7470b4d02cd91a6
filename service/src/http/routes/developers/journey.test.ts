import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { useHarness } from "../../../../test/harness.ts";

describe("from signup to the first key", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  it("200: a newcomer signs up, verifies, logs in, registers, and signs a request with the pair", async () => {
    const email = accounts.newEmail();

    const signup = await accounts.signUp(email.toUpperCase());
    expect(signup).toMatchObject({
      status: 201,
      body: {
        status: "verification_sent",
        email,
        verification_expires_at: "2026-11-22T10:00:00.000Z",
      },
    });
    const [token = ""] = await accounts.mailedTokens(email);
    const verified = await accounts.call("GET", `/verify-email?token=${token}`);
    expect(verified.body).toEqual({ status: "verified", redirect_url: "/login?verified=1" });
    const login = await accounts.logIn(email);
    expect(login.body.developer).toMatchObject({ email, status: "active", email_verified: true });
    const authorization = `Bearer ${login.body.access_token}`;
    const registered = await accounts.call("POST", "/register", undefined, {
      headers: { authorization },
    });
    expect(registered.status).toBe(201);

    const client = harness.clientOf(registered.body.api_key, registered.body.api_secret);
    const me = await client.get("/developers/me");

    expect(me).toMatchObject({
      status: 200,
      body: { developer_id: login.body.developer.developer_id, email },
      headers: { "x-svc-mode": "live" },
    });
  });
});
