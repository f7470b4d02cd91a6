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
    ["missing", null],
    ["empty", ""],
    ["cut short", envSignature(bytes).slice(0, 62)],
    ["in capitals", envSignature(bytes).toUpperCase()],
    ["not hex", "z".repeat(64)],
    ["under another key", envSignature(bytes, `${API_KEY}x`)],
  ])("refuses a signature that is %s", (_what, signature) => {
    expect(() => verifyEnvBundle(bytes, signature, API_KEY)).toThrow(SignatureVerificationError);
  });

  it("tells a missing signature from a wrong one", () => {
    expect(() => verifyEnvBundle(bytes, null, API_KEY)).toThrow("carries no X-Svc-Signature");
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
    ["no JSON", Buffer.from("A=1\n")],
    ["JSON without env", Buffer.from('{"a":1}')],
    ["JSON null", Buffer.from("null")],
    ["a value without a canonical form", bundleBytes({ A: "\ud800" })],
    ["no UTF-8", noUtf8()],
  ])("refuses signed bytes that are %s", (_what, odd) => {
    expect(() => verifyEnvBundle(odd, envSignature(odd), API_KEY)).toThrow(
      SignatureVerificationError,
    );
  });
});

/** A bundle that would hold if bytes that are no UTF-8 were read as the replacement character. */
function noUtf8(): Buffer {
  const text = bundleBytes({ A: "@" }, sha256Hex('{"A":"\ufffd"}')).toString();
  return Buffer.from(text.replace("@", "\xff"), "latin1");
}
