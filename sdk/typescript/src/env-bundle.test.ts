import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { API_KEY, envSignature } from "../test/test-server.ts";
import { verifyEnvBundle } from "./env-bundle.ts";
import { SignatureVerificationError } from "./errors.ts";

const sha256Hex = (text: string) => createHash("sha256").update(text).digest("hex");

function bundleBytes(env: unknown, fingerprint = sha256Hex('{"A":"1","B":"é"}')): Buffer {
  return Buffer.from(JSON.stringify({ object: "env_bundle", env, fingerprint }));
}

describe("verifyEnvBundle", () => {
  const bytes = bundleBytes({ B: "é", A: "1" });

  it("returns a bundle with a valid signature and fingerprint", async () => {
    expect(await verifyEnvBundle(bytes, envSignature(bytes), API_KEY)).toMatchObject({ env: { A: "1", B: "é" } });
  });

  it("rejects a bundle with one flipped bit, for any bit", async () => {
    const signature = envSignature(bytes);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
        const flipped = Buffer.from(bytes);
        flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        await expect(verifyEnvBundle(flipped, signature, API_KEY)).rejects.toThrow(SignatureVerificationError);
      }),
    );
  });

  it.each([
    ["empty", ""],
    ["missing", null],
    ["missing from the headers", undefined],
  ])("rejected: the signature is %s", async (_what, signature) => {
    expect(await rejectionOf(bytes, signature)).toMatch("has no X-Svc-Signature");
  });

  it.each([
    ["truncated", envSignature(bytes).slice(0, 62)],
    ["in uppercase", envSignature(bytes).toUpperCase()],
    ["not hex", "z".repeat(64)],
    ["followed by more", `${envSignature(bytes)}00`],
    ["followed by a line feed", `${envSignature(bytes)}\n`],
    ["followed by text that is not hex", `${envSignature(bytes)}zz`],
    ["preceded by a space", ` ${envSignature(bytes)}`],
    ["made with a different key", envSignature(bytes, `${API_KEY}x`)],
  ])("rejected: a signature %s", async (_what, signature) => {
    expect(await rejectionOf(bytes, signature)).toMatch("does not match its body");
  });

  it("rejects a signed bundle whose fingerprint does not match its values", async () => {
    const other = bundleBytes({ A: "1", B: "e" });

    await expect(verifyEnvBundle(other, envSignature(other), API_KEY)).rejects.toThrow(
      "fingerprint does not match its values",
    );
  });

  it("returns a bundle without values and does not check its fingerprint", async () => {
    const names = bundleBytes(null, "0".repeat(64));

    expect(await verifyEnvBundle(names, envSignature(names), API_KEY)).toMatchObject({ env: null });
  });

  it.each([
    ["not JSON", Buffer.from("A=1\n"), "is not JSON"],
    ["not UTF-8", bundleWithInvalidUtf8(), "is not JSON"],
    ["JSON without env", Buffer.from('{"a":1}'), "has no env"],
    ["JSON null", Buffer.from("null"), "has no env"],
    ["a value without a canonical form", bundleBytes({ A: "\ud800" }), "has no canonical form"],
  ])("rejected: a signed body that is %s", async (_what, body, reason) => {
    expect(await rejectionOf(body, envSignature(body))).toMatch(reason);
  });

  it("throws an error with a cause for a signed body that cannot be parsed", async () => {
    for (const body of [Buffer.from("A=1\n"), bundleBytes({ A: "\ud800" })]) {
      await expect(verifyEnvBundle(body, envSignature(body), API_KEY)).rejects.toThrow(
        expect.objectContaining({ cause: expect.any(Error) }),
      );
    }
  });
});

/** Returns the error message with which the bundle is rejected, or `accepted`. */
async function rejectionOf(body: Uint8Array, signature: string | null | undefined): Promise<string> {
  try {
    await verifyEnvBundle(body, signature, API_KEY);
    return "accepted";
  } catch (error) {
    if (error instanceof SignatureVerificationError) return error.message;
    throw error;
  }
}

/**
 * Returns a bundle with an invalid UTF-8 byte. The bundle's fingerprint would match if that byte were decoded as
 * U+FFFD.
 */
function bundleWithInvalidUtf8(): Buffer {
  const text = bundleBytes({ A: "@" }, sha256Hex('{"A":"\ufffd"}')).toString();
  return Buffer.from(text.replace("@", "\xff"), "latin1");
}
