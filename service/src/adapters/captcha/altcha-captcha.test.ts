import { randomBytes } from "node:crypto";
import { type Challenge, createChallenge, type Solution, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { describe, expect, it } from "vitest";
import { createMemoryFastState } from "../fast-state/memory-fast-state.ts";
import { createAltchaCaptcha } from "./altcha-captcha.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

async function arrange({ acceptDummies = false } = {}) {
  const hmacSecret = randomBytes(32).toString("hex");
  const fastState = await createMemoryFastState({});
  const captcha = createAltchaCaptcha({
    hmacSecret,
    acceptDummies,
    claimOnce: (claim) => fastState.claimOnce(claim),
  });
  return { captcha, hmacSecret, challenge: (await captcha.challenge(NOW)) as Challenge };
}

async function solve(challenge: Challenge): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey, timeout: 10_000 });
  if (solution === null) throw new Error("The challenge was not solved in time.");
  return solution;
}

const tokenOf = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString("base64");

describe("createAltchaCaptcha", () => {
  it("rejects a second solution of a solved challenge", async () => {
    const { captcha, challenge } = await arrange();
    const solution = await solve(challenge);

    expect(await captcha.verify(tokenOf({ challenge, solution }), NOW)).toBe(true);
    const again = { challenge, solution: { ...solution, time: 1 } };
    expect(await captcha.verify(tokenOf(again), NOW)).toBe(false);
  });

  it("accepts a solution within ten minutes", async () => {
    const { captcha, challenge } = await arrange();
    const token = tokenOf({ challenge, solution: await solve(challenge) });

    expect(await captcha.verify(token, later(600))).toBe(false);
    expect(await captcha.verify(token, later(599))).toBe(true);
  });

  it("rejects a challenge that was changed, is signed with another secret, or is not signed", async () => {
    const { captcha, challenge } = await arrange();
    const { parameters, signature } = challenge;
    const solution = await solve(challenge);
    const easy = await createChallenge({
      algorithm: "PBKDF2/SHA-256",
      cost: 1,
      counter: 1,
      deriveKey,
      hmacSignatureSecret: "another-secret",
      data: { expires_at: NOW.getTime() / 1000 + 600 },
    });
    const forged = [
      { challenge: { parameters: { ...parameters, keyPrefix: "00" }, signature }, solution },
      {
        challenge: {
          parameters: { ...parameters, data: { expires_at: 9_999_999_999 } },
          signature,
        },
        solution,
      },
      { challenge: { parameters: { ...parameters, cost: 1 }, signature }, solution },
      { challenge: { parameters }, solution },
      { challenge: easy, solution: await solve(easy) },
      { challenge, solution: { ...solution, counter: solution.counter + 1 } },
      { challenge, solution: { ...solution, derivedKey: "zz" } },
    ];

    const verdicts = await Promise.all(forged.map((payload) => captcha.verify(tokenOf(payload), NOW)));

    expect(verdicts).toEqual(forged.map(() => false));
    expect(await captcha.verify(tokenOf({ challenge, solution }), NOW)).toBe(true);
  });

  it("rejects a malformed payload", async () => {
    const { captcha } = await arrange();
    const tokens = ["", "x", "sandbox-pass", "{}", tokenOf(null), tokenOf([]), "A".repeat(9_000)];

    const verdicts = await Promise.all(tokens.map((token) => captcha.verify(token, NOW)));

    expect(verdicts).toEqual(tokens.map(() => false));
  });

  it("accepts the documented test tokens only if configured", async () => {
    const local = await arrange({ acceptDummies: true });
    const production = await arrange();

    expect(await local.captcha.verify("sandbox-pass", NOW)).toBe(true);
    expect(await local.captcha.verify("sandbox-pass", NOW)).toBe(true);
    expect(await local.captcha.verify("sandbox-fail", NOW)).toBe(false);
    expect(await local.captcha.verify("constructor", NOW)).toBe(false);
    expect(await production.captcha.verify("sandbox-pass", NOW)).toBe(false);
  });

  it("needs at most 500 tries of 1,000 iterations", async () => {
    const { challenge } = await arrange();

    const { counter } = await solve(challenge);

    expect(challenge.parameters).toMatchObject({ algorithm: "PBKDF2/SHA-256", cost: 1_000 });
    expect(counter).toBeGreaterThanOrEqual(100);
    expect(counter).toBeLessThanOrEqual(500);
  });
});
