import { randomUUID } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { turnstileSimulator } from "@purser/simulators/turnstile/turnstile-simulator.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import type { Captcha } from "../../ports/captcha.ts";
import { createMemoryFastState } from "../fast-state/memory-fast-state.ts";
import { createTurnstileCaptcha } from "./turnstile-captcha.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const HOSTNAME = "purser.example";
const TIMEOUT_MS = 1_500;
type Vendor = Awaited<ReturnType<typeof startTestVendor>>;

interface Changes {
  readonly apiUrl?: string;
  readonly secretKey?: string;
}

const KEYS = { siteKey: "0x4AAAAAAAtest", secretKey: "0x4AAAAAAAtest-secret" };

describe("turnstile captcha", () => {
  let vendor: Vendor;
  beforeAll(async () => {
    vendor = await startTestVendor(turnstileSimulator(KEYS));
  });
  afterAll(() => vendor.close());

  async function arrange(changes: Changes = {}): Promise<Captcha> {
    const fastState = await createMemoryFastState({});
    return createTurnstileCaptcha({
      apiUrl: vendor.url,
      ...KEYS,
      hostname: HOSTNAME,
      claimOnce: (claim) => fastState.claimOnce(claim),
      timeoutMs: TIMEOUT_MS,
      ...changes,
    });
  }

  it("has a widget and no challenge", async () => {
    const captcha = await arrange();

    expect(await captcha.challenge(NOW)).toBeUndefined();
    expect(captcha.widget).toEqual({ kind: "turnstile", siteKey: KEYS.siteKey, action: "purser" });
  });

  it("rejects unknown tokens, expired tokens, and tokens from other sites", async () => {
    const captcha = await arrange();
    const tokens = [
      "",
      "a token",
      "sandbox-expired",
      newToken("evil.example"),
      newToken(`${HOSTNAME}.evil.example`),
      newToken(`www.${HOSTNAME}`),
    ];

    for (const token of tokens) expect([token, await captcha.verify(token, NOW)]).toEqual([token, false]);
  });

  it("rejects a used token, even if the vendor accepts it again", async () => {
    const body = JSON.stringify({ success: true, hostname: HOSTNAME, action: "purser" });
    await withServer(
      (_request, response) => response.end(body),
      async (apiUrl) => {
        const captcha = await arrange({ apiUrl });

        const verdicts = await Promise.all(Array.from({ length: 10 }, () => captcha.verify("the same", NOW)));

        expect(verdicts.filter(Boolean)).toHaveLength(1);
        expect(await captcha.verify("another", NOW)).toBe(true);
        expect(await captcha.verify("the same", new Date(NOW.getTime() + 599_000))).toBe(false);
      },
    );
  });

  it("throws if the secret key is wrong", async () => {
    const captcha = await arrange({ secretKey: "another" });
    await expect(captcha.verify(newToken(), NOW)).rejects.toMatchObject({
      name: "VendorError",
      vendorMessage: "no verdict: invalid-input-secret",
    });
  });

  it.each([
    ["does not respond", "timeout_lost", "unknown"],
    ["closes the connection", "error_applied", "unknown"],
    ["responds with 429", "rate_limited", "rate_limited"],
  ] as const)("throws if the vendor %s", async (_what, outcome, failure) => {
    const captcha = await arrange();
    vendor.outcomes.force({ operation: "turnstileSiteverify", outcome });
    await expect(captcha.verify(newToken(), NOW)).rejects.toMatchObject({ failure });
  });

  it("throws if the connection is refused", async () => {
    const captcha = await arrange({ apiUrl: "http://127.0.0.1:9" });
    await expect(captcha.verify(newToken(), NOW)).rejects.toMatchObject({ name: "VendorError" });
  });

  it.each([
    ["is not JSON", 200, "<html>All good</html>"],
    ["is empty", 200, ""],
    ["has a string for success", 200, '{"success":"true"}'],
    ["is a successful redirect", 302, '{"success":true}'],
    ["is a failure without codes", 200, '{"success":false}'],
    ["is a failure with an empty list of codes", 200, '{"success":false,"error-codes":[]}'],
    ["is an internal error at the vendor", 200, '{"success":false,"error-codes":["internal-error"]}'],
    [
      "has error codes for both the token and the secret key",
      200,
      '{"success":false,"error-codes":["invalid-input-response","invalid-input-secret"]}',
    ],
  ])("throws if the response %s", async (_what, status, body) => {
    const listener: RequestListener = (_request, response) =>
      response.writeHead(status, { location: "/elsewhere" }).end(body);
    await withServer(listener, async (apiUrl) => {
      const captcha = await arrange({ apiUrl });
      await expect(captcha.verify("a token", NOW)).rejects.toMatchObject({ name: "VendorError" });
    });
  });

  it("errors do not contain secrets", async () => {
    const token = newToken();
    const quoting: RequestListener = (_request, response) =>
      response.writeHead(400).end(JSON.stringify({ message: `${KEYS.secretKey} ${token}` }));
    await withServer(quoting, async (apiUrl) => {
      const captcha = await arrange({ apiUrl });
      const error = await captcha.verify(token, NOW).catch((thrown: unknown) => thrown);
      const { message, vendorMessage } = error as { message: string; vendorMessage: string };
      expect(`${message} ${vendorMessage}`).not.toMatch(new RegExp(`${KEYS.secretKey}|${token}`));
    });
  });

  it("rejects a token from another form on the same site", async () => {
    const captcha = await arrange();
    expect(await captcha.verify(`sandbox:${HOSTNAME}:newsletter:1`, NOW)).toBe(false);
    expect(await captcha.verify(`sandbox:${HOSTNAME}::2`, NOW)).toBe(false);
  });

  it("rejects a token longer than Cloudflare's limit, without a call", async () => {
    const captcha = await arrange();
    const before = vendor.requests.list().length;
    expect(await captcha.verify("x".repeat(2_049), NOW)).toBe(false);
    expect(vendor.requests.list()).toHaveLength(before);
  });

  it("returns the fixed result for each of Cloudflare's test secrets", async () => {
    const dummy = (digit: number) => `${digit}x0000000000000000000000000000000AA`;
    const passing = await arrange({ secretKey: dummy(1) });

    expect(await passing.verify("XXXX.DUMMY.TOKEN.XXXX", NOW)).toBe(true);
    expect(await passing.verify("XXXX.DUMMY.TOKEN.XXXX", NOW)).toBe(true);
    expect(await (await arrange({ secretKey: dummy(2) })).verify(newToken(), NOW)).toBe(false);
    expect(await (await arrange({ secretKey: dummy(3) })).verify(newToken(), NOW)).toBe(false);
    // Cloudflare's dummy token is invalid with a real secret.
    const own = await arrange();
    expect(await own.verify("XXXX.DUMMY.TOKEN.XXXX", NOW)).toBe(false);
  });
});

async function withServer(listener: RequestListener, work: (url: string) => Promise<void>) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Returns a token that the simulator accepts once. */
function newToken(hostname = HOSTNAME): string {
  return `sandbox:${hostname}:purser:${randomUUID()}`;
}
