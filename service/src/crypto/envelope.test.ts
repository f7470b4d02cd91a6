import { createSecretKey, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type DataKey, EnvelopeError, open, type SealContext, seal, sealedVersion } from "./envelope.ts";

const HEADER_IV_TAG_BYTES = 5 + 12 + 16;

const dataKey: DataKey = { version: 7, key: createSecretKey(randomBytes(32)) };
const context: SealContext = {
  tenantId: "dev_01",
  kind: "project_variable",
  subject: "proj_01/API_KEY",
  field: "value",
  version: 3,
};

function isRejected(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof EnvelopeError) return true;
    throw error;
  }
}

function flipBit(bytes: Uint8Array, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  const byte = bit >> 3;
  flipped.writeUInt8(flipped.readUInt8(byte) ^ (1 << (bit & 7)), byte);
  return flipped;
}

describe("envelope", () => {
  it.each([0, 1, 256, 65_536])("decrypts what it encrypted: %i bytes", (length) => {
    const plaintext = randomBytes(length);

    const sealed = seal(dataKey, context, plaintext);

    expect(sealed).toHaveLength(HEADER_IV_TAG_BYTES + length);
    expect(sealedVersion(sealed)).toBe(7);
    expect(open(dataKey, context, sealed)).toEqual(plaintext);
  });

  it("decrypts bytes from the middle of a larger buffer", () => {
    const sealed = seal(dataKey, context, Buffer.from("value"));
    const larger = Buffer.concat([randomBytes(9), sealed, randomBytes(9)]);

    const view = new Uint8Array(larger.buffer, larger.byteOffset + 9, sealed.length);

    expect(open(dataKey, context, view).toString()).toBe("value");
  });

  it("rejected: any flipped bit of header, IV, tag and ciphertext", () => {
    const sealed = seal(dataKey, context, randomBytes(256));
    const bits = Array.from({ length: sealed.length * 8 }, (_, bit) => bit);

    const accepted = bits.filter((bit) => !isRejected(() => open(dataKey, context, flipBit(sealed, bit))));

    expect(bits).toHaveLength((HEADER_IV_TAG_BYTES + 256) * 8);
    expect(accepted).toEqual([]);
  });

  it("rejected: any flipped bit of the context", () => {
    const sealed = seal(dataKey, context, randomBytes(256));
    const changed: SealContext[] = Array.from({ length: 31 }, (_, bit) => ({
      ...context,
      version: context.version ^ (1 << bit),
    }));
    for (const part of ["tenantId", "kind", "subject", "field"] as const) {
      const bytes = Buffer.from(context[part], "latin1");
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        changed.push({ ...context, [part]: flipBit(bytes, bit).toString("latin1") });
      }
    }

    const accepted = changed.filter((other) => !isRejected(() => open(dataKey, other, sealed)));

    expect(accepted).toEqual([]);
  });

  it("rejected: any other length", () => {
    const sealed = seal(dataKey, context, randomBytes(32));
    const lengths = Array.from({ length: sealed.length }, (_, length) => length);

    const accepted = lengths.filter((length) => !isRejected(() => open(dataKey, context, sealed.subarray(0, length))));

    expect(accepted).toEqual([]);
    expect(isRejected(() => open(dataKey, context, Buffer.concat([sealed, Buffer.alloc(1)])))).toBe(true);
  });

  it("rejected: a value moved to another tenant, kind, row, field or version", () => {
    const places = ["dev_01", "dev_02", "dev_03"].flatMap((tenantId) =>
      ["provider_key", "project_variable"].flatMap((kind) =>
        ["a", "b"].flatMap((subject) =>
          ["value", "hint"].flatMap((field) =>
            [1, 2].map((version): SealContext => ({ tenantId, kind, subject, field, version })),
          ),
        ),
      ),
    );
    const rows = places.map((place) => seal(dataKey, place, Buffer.from(JSON.stringify(place))));

    for (const [at, place] of places.entries()) {
      const opened = rows.filter((row) => !isRejected(() => open(dataKey, place, row)));
      expect(opened).toEqual([rows[at]]);
    }
  });

  it.each([
    [
      { kind: "ab", subject: "c" },
      { kind: "a", subject: "bc" },
    ],
    [
      { kind: 'a","b', subject: "c" },
      { kind: "a", subject: 'b","c' },
    ],
    [
      { subject: "", field: "x" },
      { subject: "x", field: "" },
    ],
    [{ subject: "\ud800" }, { subject: "\ufffd" }],
  ])("distinguishes %j from %j", (one, other) => {
    const sealed = seal(dataKey, { ...context, ...one }, Buffer.from("value"));

    expect(isRejected(() => open(dataKey, { ...context, ...other }, sealed))).toBe(true);
  });

  it("rejected: another data key, and the same key under another version", () => {
    const sealed = seal(dataKey, context, Buffer.from("value"));

    expect(isRejected(() => open({ version: 7, key: createSecretKey(randomBytes(32)) }, context, sealed))).toBe(true);
    expect(isRejected(() => open({ ...dataKey, version: 8 }, context, sealed))).toBe(true);
    const relabelled = Buffer.from(sealed);
    relabelled.writeUInt32BE(8, 1);
    expect(isRejected(() => open({ ...dataKey, version: 8 }, context, relabelled))).toBe(true);
  });

  it("uses each IV once, and the ciphertext does not contain the plaintext", () => {
    const plaintext = Buffer.from("the same plaintext every time");
    const sealed = Array.from({ length: 20_000 }, () => seal(dataKey, context, plaintext));

    const ivs = new Set(sealed.map((bytes) => bytes.subarray(5, 17).toString("hex")));

    expect(ivs.size).toBe(20_000);
    expect(sealed.some((bytes) => bytes.includes("plaintext"))).toBe(false);
  });

  it("decrypts a value that an earlier release encrypted", () => {
    const earlierKey: DataKey = { version: 7, key: createSecretKey(Buffer.alloc(32, 0x5a)) };
    const sealed = Buffer.from("010000000763dae2104bd37622386ab9d1eadfa0d02217cdc62a657a462c942b790d684b6431", "hex");

    expect(open(earlierKey, context, sealed).toString()).toBe("value");
  });

  it.each([
    ["too short", (sealed: Buffer) => sealed.subarray(0, HEADER_IV_TAG_BYTES - 1)],
    ["unknown format", (sealed: Buffer) => Buffer.concat([Buffer.of(2), sealed.subarray(1)])],
  ])("sealedVersion throws EnvelopeError: %s", (reason, change) => {
    const sealed = change(seal(dataKey, context, Buffer.from("value")));

    expect(() => sealedVersion(sealed)).toThrow(expect.objectContaining({ name: "EnvelopeError", message: reason }));
  });

  it("open throws EnvelopeError with the reason: the key or the context is wrong", () => {
    const sealed = seal(dataKey, context, Buffer.from("value"));

    expect(() => open({ ...dataKey, version: 8 }, context, sealed)).toThrow("another data key");
    expect(() => open(dataKey, { ...context, version: 4 }, sealed)).toThrow(
      expect.objectContaining({ message: "cannot be decrypted", cause: expect.any(Error) }),
    );
  });
});
