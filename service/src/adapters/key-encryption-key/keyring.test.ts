import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createFileKeyEncryptionKey, createKeyring } from "./file-key-encryption-key.ts";

const context = { tenantId: "dev_01", version: 1 };
const newKey = () => createFileKeyEncryptionKey(randomBytes(32).toString("base64"));

describe("createKeyring", () => {
  it("wraps under the current key, and unwraps under any of its keys", async () => {
    const [older, old, current] = [newKey(), newKey(), newKey()];
    const keyring = createKeyring(current, [old, older]);
    const dataKey = randomBytes(32);

    expect(keyring.id).toBe(current.id);
    const wrapped = await keyring.wrap(dataKey, context);
    expect(await current.unwrap(wrapped, current.id, context)).toEqual(dataKey);
    for (const key of [older, old, current]) {
      const byKey = await key.wrap(dataKey, context);
      expect(await keyring.unwrap(byKey, key.id, context)).toEqual(dataKey);
    }
  });

  it("rejects an unknown key id, and the id of another key", async () => {
    const [old, current, foreign] = [newKey(), newKey(), newKey()];
    const keyring = createKeyring(current, [old]);
    const wrapped = await foreign.wrap(randomBytes(32), context);

    await expect(keyring.unwrap(wrapped, foreign.id, context)).rejects.toThrow(foreign.id);
    await expect(keyring.unwrap(wrapped, old.id, context)).rejects.toThrow();
    const byOld = await old.wrap(randomBytes(32), context);
    await expect(keyring.unwrap(byOld, current.id, context)).rejects.toThrow();
  });
});
