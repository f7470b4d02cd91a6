import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { describe, expect, it } from "vitest";
import { run } from "../../test/database.ts";
import { useHarness } from "../../test/harness.ts";
import { createFileKeyEncryptionKey, createKeyring } from "../adapters/key-encryption-key/file-key-encryption-key.ts";
import { withTransaction } from "../db/transaction.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import type { KeyEncryptionKey } from "../ports/key-encryption-key.ts";
import { listDataKeys } from "./queries.ts";
import { rewrapDataKeys } from "./rewrap-data-keys.ts";
import { openVault, type TenantVault } from "./vault.ts";

const context = { kind: "note", subject: "n1", field: "text", version: 1 };
const newKey = () => createFileKeyEncryptionKey(randomBytes(32).toString("base64"));

describe("rewrapDataKeys", () => {
  const harness = useHarness();

  /** Simulates a process that uses this key encryption key and has not opened a vault yet. */
  const processWith = (keyEncryptionKey: KeyEncryptionKey) => {
    const { db, clock, log } = harness.app;
    return {
      db,
      clock,
      log,
      keyEncryptionKey,
      vaults: new LRUCache<TenantId, TenantVault>({ max: 10 }),
    };
  };

  async function sealedFor(key: KeyEncryptionKey, text: string) {
    const tenantId = newId("dev");
    return {
      tenantId,
      text,
      sealed: (await openVault(processWith(key), tenantId)).seal(context, text),
    };
  }

  const keyIdsOf = async (tenantId: TenantId) => {
    const keys = await withTransaction(harness.app.db, tenantId, (tx) => listDataKeys(tx, tenantId));
    const lookUps = await harness.app.db
      .selectFrom("dataKeyWrappings")
      .select("keyEncryptionKeyId")
      .where("tenantId", "=", tenantId)
      .execute();
    return [...keys, ...lookUps].map(({ keyEncryptionKeyId }) => keyEncryptionKeyId);
  };

  it("re-encrypts all data keys with the current key; existing values still decrypt", async () => {
    const [old, current] = [newKey(), newKey()];
    const seeded = await Promise.all(["a", "b", "c", "d", "e"].map((text) => sealedFor(old, text)));

    const outcome = await rewrapDataKeys(processWith(createKeyring(current, [old])));

    expect(outcome).toEqual({ rewrapped: 5, failed: 0 });
    for (const { tenantId, text, sealed } of seeded) {
      expect(await keyIdsOf(tenantId)).toEqual([current.id, current.id]);
      // This process has only the new key encryption key.
      const vault = await openVault(processWith(current), tenantId);
      expect(vault.open(context, sealed).toString()).toBe(text);
    }
    expect(await rewrapDataKeys(processWith(createKeyring(current, [old])))).toEqual({
      rewrapped: 0,
      failed: 0,
    });
    await deleteKeys(seeded);
  });

  it("continues after an interruption and loses no value", async () => {
    const [old, current] = [newKey(), newKey()];
    const seeded = await Promise.all(["a", "b", "c", "d", "e", "f"].map((text) => sealedFor(old, text)));
    const keyring = createKeyring(current, [old]);

    let rounds = 0;
    for (let left = seeded.length; left > 0; rounds += 1) {
      // Each run is interrupted: after five calls, the keyring rejects every call.
      let calls = 0;
      const failingAfterFive = (call: () => Promise<Buffer>) => {
        calls += 1;
        return calls > 5 ? Promise.reject(new Error("killed")) : call();
      };
      const { rewrapped } = await rewrapDataKeys(
        processWith({
          id: keyring.id,
          wrap: (...given) => failingAfterFive(() => keyring.wrap(...given)),
          unwrap: (...given) => failingAfterFive(() => keyring.unwrap(...given)),
        }),
      );
      left -= rewrapped;
      for (const { tenantId, text, sealed } of seeded) {
        const vault = await openVault(processWith(keyring), tenantId);
        expect(vault.open(context, sealed).toString()).toBe(text);
      }
    }

    expect(rounds).toBeGreaterThan(1);
    for (const { tenantId } of seeded) {
      expect(await keyIdsOf(tenantId)).toEqual([current.id, current.id]);
    }
    await deleteKeys(seeded);
  });

  it("two concurrent runs re-encrypt each data key once, while tenants are created and vaults are opened", async () => {
    const [old, current] = [newKey(), newKey()];
    const seeded = await Promise.all(Array.from({ length: 12 }, (_, n) => sealedFor(old, `text ${n}`)));
    const keyring = createKeyring(current, [old]);

    const [, , late] = await Promise.all([
      rewrapDataKeys(processWith(keyring)),
      rewrapDataKeys(processWith(keyring)),
      // Simulates a process that can decrypt with the new key but still encrypts with the old one.
      sealedFor(createKeyring(old, [current]), "late"),
      ...seeded.map(async ({ tenantId, text, sealed }) => {
        const vault = await openVault(processWith(createKeyring(old, [current])), tenantId);
        expect(vault.open(context, sealed).toString()).toBe(text);
      }),
    ]);
    await rewrapDataKeys(processWith(keyring));

    for (const { tenantId, text, sealed } of [...seeded, late]) {
      expect(await keyIdsOf(tenantId)).toEqual([current.id, current.id]);
      const vault = await openVault(processWith(current), tenantId);
      expect(vault.open(context, sealed).toString()).toBe(text);
    }
    await deleteKeys([...seeded, late]);
  });

  it("skips a data key that it cannot decrypt, logs it, and re-encrypts the others", async () => {
    const [old, current, unknown] = [newKey(), newKey(), newKey()];
    const own = await sealedFor(old, "own");
    const foreign = await sealedFor(unknown, "foreign");

    const outcome = await rewrapDataKeys(processWith(createKeyring(current, [old])));

    expect(outcome).toEqual({ rewrapped: 1, failed: 1 });
    expect(await keyIdsOf(own.tenantId)).toEqual([current.id, current.id]);
    expect(await keyIdsOf(foreign.tenantId)).toEqual([unknown.id, unknown.id]);
    expect(harness.logLines.join("")).toContain(foreign.tenantId);
    await deleteKeys([own, foreign]);
  });

  it("does not store an encrypted data key that decrypts to another key", async () => {
    const [old, current] = [newKey(), newKey()];
    const own = await sealedFor(old, "own");
    const keyring = createKeyring(current, [old]);

    const { failed } = await rewrapDataKeys(
      processWith({ ...keyring, wrap: (_key, given) => current.wrap(randomBytes(32), given) }),
    );

    expect(failed).toBe(1);
    expect(await keyIdsOf(own.tenantId)).toEqual([old.id, old.id]);
    await deleteKeys([own]);
  });

  async function deleteKeys(all: readonly { tenantId: TenantId }[]): Promise<void> {
    const ids = all.map(({ tenantId }) => `'${tenantId}'`).join();
    for (const table of ["tenant_data_keys", "data_key_wrappings"]) {
      await run(harness.database.superuserUrl, `delete from ${table} where tenant_id in (${ids})`);
    }
  }
});
