import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { useHarness } from "../../../../test/harness.ts";
import { createTurnstileCaptcha } from "../../../adapters/captcha/turnstile-captcha.ts";

describe("GET /developers/login-options", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  it("200: every identity provider, and ALTCHA", async () => {
    const { status, body } = await accounts.call("GET", "/login-options");

    expect(status).toBe(200);
    expect(body).toEqual({
      object: "login_options",
      identity_providers: ["github", "google"],
      captcha: { provider: "altcha", site_key: null, action: null },
    });
  });
});

describe("GET /developers/login-options with Turnstile, and Google as the only identity provider", () => {
  const harness = useHarness({
    replace: ({ identityProviders, fastState }) => ({
      identityProviders: { ...identityProviders, github: null },
      captcha: createTurnstileCaptcha({
        apiUrl: "http://127.0.0.1:9",
        siteKey: "site-key",
        secretKey: "secret-key",
        hostname: "purser.test",
        claimOnce: (claim) => fastState.claimOnce(claim),
      }),
    }),
  });

  it("200: Google, and the widget's site key without its secret key", async () => {
    const { body, text } = await accountsOf(harness).call("GET", "/login-options");

    expect(body).toEqual({
      object: "login_options",
      identity_providers: ["google"],
      captcha: { provider: "turnstile", site_key: "site-key", action: "purser" },
    });
    expect(text).not.toContain("secret-key");
  });
});
