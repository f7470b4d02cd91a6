import { createChallenge, randomInt, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { parseJson } from "../../foundation/text.ts";
import type { Captcha } from "../../ports/captcha.ts";
import type { FastState } from "../../ports/fast-state.ts";

const LIFE_SECONDS = 600;
/** PBKDF2 iterations per try. With TRIES_MIN to TRIES_MAX tries, solving takes a few tenths of a second. */
const COST = 1_000;
const TRIES_MIN = 100;
const TRIES_MAX = 500;
const TOKEN_LENGTH_MAX = 8_192;

const DUMMIES: ReadonlyMap<string, boolean> = new Map([
  ["sandbox-pass", true],
  ["sandbox-fail", false],
]);

/** A client's payload. No field is trusted before the parameters' signature is verified. */
const Payload = Type.Object({
  challenge: Type.Object({
    parameters: Type.Object({
      algorithm: Type.String(),
      nonce: Type.String(),
      salt: Type.String(),
      cost: Type.Integer(),
      keyLength: Type.Integer(),
      keyPrefix: Type.String(),
      data: Type.Object({ expires_at: Type.Integer() }),
    }),
    signature: Type.String(),
  }),
  solution: Type.Object({ counter: Type.Integer(), derivedKey: Type.String() }),
});
type Payload = Static<typeof Payload>;
const payload = Compile(Payload);

export interface AltchaCaptchaOptions {
  /** Signs the challenges, so that they do not have to be stored. */
  readonly hmacSecret: string;
  /**
   * Whether the local profile's test tokens are accepted: `sandbox-pass` always passes, `sandbox-fail` always fails.
   */
  readonly acceptDummies: boolean;
  /** Stores solved challenges, so that each solution can be used only once. */
  readonly claimOnce: FastState["claimOnce"];
}

/**
 * Self-hosted ALTCHA (https://altcha.org), protocol version 2. The client tries counters until the derived PBKDF2 key
 * starts with the challenge's prefix. A token is the base64-encoded JSON `{"challenge","solution"}` that ALTCHA's
 * widget creates.
 */
export function createAltchaCaptcha({ hmacSecret, acceptDummies, claimOnce }: AltchaCaptchaOptions): Captcha {
  return {
    challenge: (now) =>
      createChallenge({
        algorithm: "PBKDF2/SHA-256",
        cost: COST,
        counter: randomInt(TRIES_MAX, TRIES_MIN),
        deriveKey,
        hmacSignatureSecret: hmacSecret,
        // The library's own expiry field is not used, because the library would compare it with the system clock.
        // `verify` compares `expires_at` with the app's clock.
        data: { expires_at: Math.floor(now.getTime() / 1000) + LIFE_SECONDS },
      }),

    verify: async (token, now) => {
      const dummy = DUMMIES.get(token);
      if (acceptDummies && dummy !== undefined) return dummy;
      const read = readToken(token);
      if (read === undefined) return false;
      const { challenge, solution } = read;
      const { nonce, data } = challenge.parameters;
      const leftMs = data.expires_at * 1000 - now.getTime();
      if (leftMs <= 0 || !(await isSolved({ challenge, solution, hmacSecret }))) return false;
      return claimOnce({ key: `captcha:${nonce}`, ttlMs: leftMs, nowMs: now.getTime() });
    },
  };
}

function readToken(token: string): Payload | undefined {
  if (token.length > TOKEN_LENGTH_MAX) return undefined;
  const value = parseJson(Buffer.from(token, "base64").toString("utf8"));
  return payload.Check(value) ? value : undefined;
}

async function isSolved({
  challenge,
  solution,
  hmacSecret,
}: Payload & { readonly hmacSecret: string }): Promise<boolean> {
  try {
    const { verified } = await verifySolution({
      challenge,
      solution,
      deriveKey,
      hmacSignatureSecret: hmacSecret,
    });
    return verified;
  } catch {
    // The library throws only for challenges that this server did not create.
    return false;
  }
}
