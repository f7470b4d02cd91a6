import { randomBytes, randomUUID } from "node:crypto";
import { turnstileSimulator } from "@purser/simulators/turnstile/turnstile-simulator.ts";
import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import type { Captcha } from "../../ports/captcha.ts";
import type { FastState } from "../../ports/fast-state.ts";
import { createMemoryFastState } from "../fast-state/memory-fast-state.ts";
import { createAltchaCaptcha } from "./altcha-captcha.ts";
import { createTurnstileCaptcha } from "./turnstile-captcha.ts";

/** All `Captcha` adapters. A new adapter needs a function that returns its `Subject`. */
const ADAPTERS = [
  { name: "ALTCHA", start: startAltcha },
  { name: "Turnstile", start: startTurnstile },
] as const;

const NOW = new Date("2026-11-21T10:00:00.000Z");
const HOSTNAME = "purser.example";
const TURNSTILE_KEYS = { siteKey: "0x4AAAAAAAtest", secretKey: "0x4AAAAAAAtest-secret" };

interface Subject {
  readonly open: (claimOnce: FastState["claimOnce"]) => Captcha;
  /** Returns the token that a browser sends after the user has solved a challenge. */
  readonly solve: (captcha: Captcha) => Promise<string>;
  readonly close: () => Promise<void>;
}

async function startAltcha(): Promise<Subject> {
  const hmacSecret = randomBytes(32).toString("hex");
  return {
    open: (claimOnce) => createAltchaCaptcha({ hmacSecret, acceptDummies: false, claimOnce }),
    solve: async (captcha) => {
      const challenge = (await captcha.challenge(NOW)) as Challenge;
      const solution = await solveChallenge({ challenge, deriveKey, timeout: 10_000 });
      return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
    },
    close: async () => {},
  };
}

async function startTurnstile(): Promise<Subject> {
  const { url: apiUrl, close } = await startTestVendor(turnstileSimulator(TURNSTILE_KEYS));
  return {
    open: (claimOnce) => createTurnstileCaptcha({ apiUrl, ...TURNSTILE_KEYS, hostname: HOSTNAME, claimOnce }),
    solve: async () => `sandbox:${HOSTNAME}:purser:${randomUUID()}`,
    close,
  };
}

describe.each(ADAPTERS)("$name captcha", ({ start }) => {
  let subject: Subject;
  let captcha: Captcha;
  beforeAll(async () => {
    subject = await start();
    const fastState = await createMemoryFastState({});
    captcha = subject.open((claim) => fastState.claimOnce(claim));
  });
  afterAll(() => subject.close());

  it("accepts a token once", async () => {
    const token = await subject.solve(captcha);

    expect(await captcha.verify(token, NOW)).toBe(true);
    expect(await captcha.verify(token, NOW)).toBe(false);
  });

  it("accepts one of ten simultaneous calls with the same token", async () => {
    const token = await subject.solve(captcha);

    const verdicts = await Promise.all(Array.from({ length: 10 }, () => captcha.verify(token, NOW)));

    expect(verdicts.filter(Boolean)).toHaveLength(1);
  });

  it("rejects a token that was not issued", async () => {
    for (const token of ["", "a token", "{}", "\u0000", "A".repeat(9_000)]) {
      expect(await captcha.verify(token, NOW)).toBe(false);
    }
  });

  it("has either a challenge or a widget", async () => {
    const challenge = await captcha.challenge(NOW);

    expect([challenge === undefined, captcha.widget === undefined].sort()).toEqual([false, true]);
  });

  it("throws if it cannot check whether the token was used", async () => {
    const token = await subject.solve(captcha);
    const unsure = subject.open(() => Promise.reject(new Error("down")));

    await expect(unsure.verify(token, NOW)).rejects.toThrow("down");
  });
});
