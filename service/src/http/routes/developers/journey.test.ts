import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { useHarness } from "../../../../test/harness.ts";
import { sha256Hex } from "../../../crypto/signing.ts";

describe("from signup to the first API call", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  it("200: sign up, verify, log in, register, and sign a request with the key pair", async () => {
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
    const [token = ""] = await accounts.verificationTokensOf(email);
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

  it("logs and rows contain no password, token or secret", async () => {
    const email = accounts.newEmail();
    const password = "a lantern in the crow's nest";
    const signup = { email, password, captcha_token: "sandbox-pass" };
    await accounts.call("POST", "/signup", signup);
    const rowsBeforeMail = await accounts.everyRow();
    const [token = ""] = await accounts.verificationTokensOf(email);
    await accounts.call("GET", `/verify-email?token=${token}`);
    await accounts.call("GET", `/verify-email?token=${token}`);
    await accounts.logIn(email, "a lantern in the wrong nest");
    const { body: login } = await accounts.logIn(email, password);
    const { body: session } = await accounts.call("POST", "/token/refresh", {
      refresh_token: login.refresh_token,
    });
    const headers = { authorization: `Bearer ${session.access_token}` };
    const { body: pair } = await accounts.call("POST", "/register", {}, { headers });
    await harness.deliverMails();

    const secrets = {
      password,
      wrongPassword: "a lantern in the wrong nest",
      token,
      firstRefresh: login.refresh_token,
      secondRefresh: session.refresh_token,
      access: session.access_token,
      apiKey: pair.api_key,
      apiSecret: pair.api_secret,
      signingKey: sha256Hex(pair.api_secret),
    };
    const places = {
      log: harness.logLines.join(""),
      rows: await accounts.everyRow(),
      rowsBeforeMail,
    };
    const found = Object.entries(secrets).flatMap(([secret, text]) =>
      Object.entries(places)
        .filter(([, content]) => content.includes(text) || content.includes(hexOf(text)))
        .map(([place]) => `${secret} in ${place}`),
    );

    expect(Object.values(secrets).every((secret) => secret.length >= 20)).toBe(true);
    expect(places.rowsBeforeMail).toContain(email);
    expect(places.rows).toContain(pair.key.key_id);
    expect(found).toEqual([]);
  });
});

/** Returns the text in hexadecimal, which is how a dump shows `bytea` columns. */
function hexOf(text: string): string {
  return Buffer.from(text).toString("hex");
}
