import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { API_KEY, envSignature } from "../test/service.ts";
import { verifyEnvBundle } from "./env-bundle.ts";
import { SignatureVerificationError } from "./errors.ts";
import { sha256Hex } from "./signing.ts";

function bundleBytes(env: unknown, fingerprint = sha256Hex('{"A":"1","B":"é"}')): Buffer {
  return Buffer.from(JSON.stringify({ object: "env_bundle", env, fingerprint }));
}

describe("verifyEnvBundle", () => {
  const bytes = bundleBytes({ B: "é", A: "1" });

  it("gives the bundle whose signature and fingerprint hold", () => {
    expect(verifyEnvBundle(bytes, envSignature(bytes), API_KEY).env).toEqual({ A: "1", B: "é" });
  });

  it("refuses a bundle of which any one bit is flipped", () => {
    const signature = envSignature(bytes);
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const flipped = Buffer.from(bytes);
        flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(() => verifyEnvBundle(flipped, signature, API_KEY)).toThrow(
          SignatureVerificationError,
        );
      }),
    );
  });

  it.each([
    ["empty", ""],
    ["missing", null],
    ["missing from the headers", undefined],
  ])("refused for no signature: it is %s", (_what, signature) => {
    expect(refusalOf(bytes, signature)).toMatch("carries no X-Svc-Signature");
  });

  it.each([
    ["cut short", envSignature(bytes).slice(0, 62)],
    ["in capitals", envSignature(bytes).toUpperCase()],
    ["not hex", "z".repeat(64)],
    ["followed by more", `${envSignature(bytes)}00`],
    ["followed by a line feed", `${envSignature(bytes)}\n`],
    ["followed by what is not hex", `${envSignature(bytes)}zz`],
    ["preceded by a space", ` ${envSignature(bytes)}`],
    ["under another key", envSignature(bytes, `${API_KEY}x`)],
  ])("refused as not of its body: the signature is %s", (_what, signature) => {
    expect(refusalOf(bytes, signature)).toMatch("X-Svc-Signature is not of its body");
  });

  it("refuses a rightly signed bundle whose fingerprint is of other values", () => {
    const other = bundleBytes({ A: "1", B: "e" });

    expect(() => verifyEnvBundle(other, envSignature(other), API_KEY)).toThrow(
      "fingerprint is not of its values",
    );
  });

  it("gives a bundle of names, which has no values to compute a fingerprint of", () => {
    const names = bundleBytes(null, "0".repeat(64));

    expect(verifyEnvBundle(names, envSignature(names), API_KEY).env).toBeNull();
  });

  it.each([
    ["no JSON", Buffer.from("A=1\n"), "is not JSON"],
    ["no UTF-8", noUtf8(), "is not JSON"],
    ["JSON without env", Buffer.from('{"a":1}'), "has no env"],
    ["JSON null", Buffer.from("null"), "has no env"],
    ["a value without a canonical form", bundleBytes({ A: "\ud800" }), "has no canonical form"],
  ])("refused although signed: the body is %s", (_what, odd, reason) => {
    expect(refusalOf(odd, envSignature(odd))).toMatch(reason);
  });

  it("an error with its cause: a signed body cannot be read", () => {
    for (const odd of [Buffer.from("A=1\n"), bundleBytes({ A: "\ud800" })]) {
      expect(() => verifyEnvBundle(odd, envSignature(odd), API_KEY)).toThrow(
        expect.objectContaining({ cause: expect.any(Error) }),
      );
    }
  });
});

/** Why the bundle is refused. */
function refusalOf(body: Uint8Array, signature: string | null | undefined): string {
  try {
    verifyEnvBundle(body, signature, API_KEY);
    return "accepted";
  } catch (error) {
    if (error instanceof SignatureVerificationError) return error.message;
    throw error;
  }
}

/** A bundle that would hold if bytes that are no UTF-8 were read as the replacement character. */
function noUtf8(): Buffer {
  const text = bundleBytes({ A: "@" }, sha256Hex('{"A":"\ufffd"}')).toString();
  return Buffer.from(text.replace("@", "\xff"), "latin1");
}
