import { randomUUID } from "node:crypto";
import { turnstileSimulator } from "@purser/simulators/turnstile/turnstile-simulator.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../../simulators/test/start-test-vendor.ts";
import { accountsOf } from "../../../../test/accounts.ts";
import { useHarness } from "../../../../test/harness.ts";
import { createTurnstileCaptcha } from "../../../adapters/captcha/turnstile-captcha.ts";

const KEYS = { siteKey: "site-key", secretKey: "secret-key" };
const HOSTNAME = "purser.test";
describe("a captcha of turnstile", () => {
  let vendor: Awaited<ReturnType<typeof startTestVendor>>;
  beforeAll(async () => {
    vendor = await startTestVendor(turnstileSimulator(KEYS));
  });
  afterAll(() => vendor.close());
  const harness = useHarness({
    replace: ({ fastState }) => ({
      captcha: createTurnstileCaptcha({
        apiUrl: vendor.url,
        ...KEYS,
        hostname: HOSTNAME,
        claimOnce: (claim) => fastState.claimOnce(claim),
        timeoutMs: 1_500,
      }),
    }),
  });
  const accounts = accountsOf(harness);

  const newToken = () => `sandbox:${HOSTNAME}:purser:${randomUUID()}`;
  const signUp = (captcha_token: string) => accounts.signUp(undefined, { captcha_token });

  it("200: GET /captcha returns the widget's configuration", async () => {
    expect(await accounts.call("GET", "/captcha")).toMatchObject({
      status: 200,
      body: { kind: "turnstile", site_key: "site-key", action: "purser" },
    });
  });

  it("201: a solved captcha allows one signup", async () => {
    const token = newToken();

    expect((await signUp(token)).status).toBe(201);
    expect(await signUp(token)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/body/captcha_token", code: "captcha" }] },
    });
    expect((await signUp("sandbox-pass")).status).toBe(422);
  });

  it("503: no signup while the vendor does not respond", async () => {
    for (const outcome of ["timeout_lost", "error_applied", "rate_limited"] as const) {
      vendor.outcomes.force({ operation: "turnstileSiteverify", outcome });
      expect(await signUp(newToken())).toMatchObject({
        status: 503,
        body: { code: "service_unavailable" },
        headers: { "retry-after": expect.any(String) },
      });
    }
    const [{ count } = { count: "" }] = await accounts.query("select count(*) from developers");
    expect(Number(count)).toBe(1);
  });
});
