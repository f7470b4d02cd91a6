import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createFileKeyEncryptionKey } from "./file-key-encryption-key.ts";

const context = { tenantId: "dev_01", version: 1 };

function newKey() {
  return createFileKeyEncryptionKey(randomBytes(32).toString("base64"));
}

describe("createFileKeyEncryptionKey", () => {
  it("has the same id if the file ends with a line feed", async () => {
    const material = randomBytes(32).toString("base64");
    const key = createFileKeyEncryptionKey(material);
    const dataKey = randomBytes(32);

    const wrapped = await key.wrap(dataKey, context);

    const restarted = createFileKeyEncryptionKey(`${material}\n`);
    expect(restarted.id).toBe(key.id);
    expect(await restarted.unwrap(wrapped, key.id, context)).toEqual(dataKey);
  });

  it("rejects any flipped bit of a wrapped key", async () => {
    const key = newKey();
    const wrapped = await key.wrap(randomBytes(32), context);

    for (let bit = 0; bit < wrapped.length * 8; bit += 1) {
      const flipped = Buffer.from(wrapped);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      await expect(key.unwrap(flipped, key.id, context)).rejects.toThrow();
    }
  });

  it("rejects any other length, so that no shortened tag is accepted", async () => {
    const key = newKey();
    const wrapped = await key.wrap(randomBytes(32), context);

    for (let length = 0; length < wrapped.length; length += 1) {
      await expect(key.unwrap(wrapped.subarray(0, length), key.id, context)).rejects.toThrow("not a wrapped data key");
    }
    const longer = Buffer.concat([wrapped, Buffer.alloc(1)]);
    await expect(key.unwrap(longer, key.id, context)).rejects.toThrow("not a wrapped data key");
  });

  it("throws: not 32 bytes", async () => {
    for (const material of ["", "c2hvcnQ=", randomBytes(33).toString("base64")]) {
      expect(() => createFileKeyEncryptionKey(material)).toThrow("not 32 bytes");
    }
  });
});
