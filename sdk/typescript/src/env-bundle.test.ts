import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { API_KEY, envSignature } from "../test/test-server.ts";
import { verifyEnvBundle } from "./env-bundle.ts";
import { SignatureVerificationError } from "./errors.ts";
import { sha256Hex } from "./signing.ts";

function bundleBytes(env: unknown, fingerprint = sha256Hex('{"A":"1","B":"é"}')): Buffer {
  return Buffer.from(JSON.stringify({ object: "env_bundle", env, fingerprint }));
}

describe("verifyEnvBundle", () => {
  const bytes = bundleBytes({ B: "é", A: "1" });

  it("returns a bundle with a valid signature and fingerprint", () => {
    expect(verifyEnvBundle(bytes, envSignature(bytes), API_KEY).env).toEqual({ A: "1", B: "é" });
  });

  it("refuses a bundle with one flipped bit, for any bit", () => {
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
    ["truncated", envSignature(bytes).slice(0, 62)],
    ["uppercase", envSignature(bytes).toUpperCase()],
    ["not hex", "z".repeat(64)],
    ["made with another key", envSignature(bytes, `${API_KEY}x`)],
  ])("refuses a signature that is %s", (_name, signature) => {
    expect(() => verifyEnvBundle(bytes, signature, API_KEY)).toThrow(SignatureVerificationError);
  });

  it("states that the signature is missing", () => {
    expect(() => verifyEnvBundle(bytes, null, API_KEY)).toThrow("has no X-Svc-Signature");
  });

  it("refuses a signed bundle whose fingerprint does not match its values", () => {
    const other = bundleBytes({ A: "1", B: "e" });

    expect(() => verifyEnvBundle(other, envSignature(other), API_KEY)).toThrow(
      "fingerprint does not match its values",
    );
  });

  it("returns a bundle without values and does not check its fingerprint", () => {
    const names = bundleBytes(null, "0".repeat(64));

    expect(verifyEnvBundle(names, envSignature(names), API_KEY).env).toBeNull();
  });

  it.each([
    ["not JSON", Buffer.from("A=1\n")],
    ["JSON without env", Buffer.from('{"a":1}')],
    ["JSON null", Buffer.from("null")],
    ["a value without a canonical form", bundleBytes({ A: "\ud800" })],
    ["not UTF-8", bundleWithInvalidUtf8()],
  ])("refuses signed bytes that are %s", (_name, invalid) => {
    expect(() => verifyEnvBundle(invalid, envSignature(invalid), API_KEY)).toThrow(
      SignatureVerificationError,
    );
  });
});

/** A bundle whose fingerprint would match if the invalid byte were decoded as U+FFFD. */
function bundleWithInvalidUtf8(): Buffer {
  const text = bundleBytes({ A: "@" }, sha256Hex('{"A":"\ufffd"}')).toString();
  return Buffer.from(text.replace("@", "\xff"), "latin1");
}
