import { LRUCache } from "lru-cache";
import { describe, expect, it } from "vitest";
import { run } from "../../test/database.ts";
import { useHarness } from "../../test/harness.ts";
import { EnvelopeError } from "../crypto/envelope.ts";
import { withTransaction } from "../db/transaction.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import type { KeyEncryptionKey } from "../ports/key-encryption-key.ts";
import { listDataKeys } from "./queries.ts";
import { ACTIVATION_DELAY_MS, addDataKey, openVault, type TenantVault, type VaultAccess } from "./vault.ts";

const context = { kind: "note", subject: "n1", field: "text", version: 1 };

describe("openVault", () => {
  const harness = useHarness();

  /** Simulates a process that has not opened a vault yet. */
  function newProcess(keyEncryptionKey?: KeyEncryptionKey): VaultAccess {
    const { db, clock } = harness.app;
    const vaults = new LRUCache<TenantId, TenantVault>({ max: 10 });
    return {
      db,
      clock,
      vaults,
      keyEncryptionKey: keyEncryptionKey ?? harness.app.keyEncryptionKey,
    };
  }

  const storedKeys = (tenantId: TenantId) =>
    withTransaction(harness.app.db, tenantId, (tx) => listDataKeys(tx, tenantId));

  it("encrypts for the tenant, and decrypts in another process", async () => {
    const tenantId = newId("dev");
    const sealed = (await openVault(newProcess(), tenantId)).seal(context, "secret text");

    const vault = await openVault(newProcess(), tenantId);

    expect(vault.open(context, sealed).toString()).toBe("secret text");
    expect(await storedKeys(tenantId)).toHaveLength(1);
  });

  it("a tenant gets only one first data key, even if two processes create it at the same time", async () => {
    const tenantId = newId("dev");
    const { keyEncryptionKey } = harness.app;
    const { promise: firstIsDone, resolve: release } = Promise.withResolvers<void>();
    const second = openVault(
      newProcess({
        ...keyEncryptionKey,
        wrap: async (...call) => {
          await firstIsDone;
          return keyEncryptionKey.wrap(...call);
        },
      }),
      tenantId,
    );
    const sealed = (await openVault(newProcess(), tenantId)).seal(context, "secret text");

    release();

    expect((await second).open(context, sealed).toString()).toBe("secret text");
    expect(await storedKeys(tenantId)).toHaveLength(1);
  });

  it("throws: a value of another tenant, even if that tenant's data key is copied to this one", async () => {
    const [own, foreign] = [newId("dev"), newId("dev")];
    const foreignVault = await openVault(newProcess(), foreign);
    const sealed = foreignVault.seal(context, "secret text");
    const ownVault = await openVault(newProcess(), own);

    expect(() => ownVault.open(context, sealed)).toThrow(EnvelopeError);

    await run(
      harness.database.superuserUrl,
      `update tenant_data_keys set wrapped = (select wrapped from tenant_data_keys where tenant_id = '${foreign}')
       where tenant_id = '${own}'`,
    );
    await expect(openVault(newProcess(), own)).rejects.toMatchObject({
      code: "service_unavailable",
    });
  });

  it("encrypts with a newer data key after the activation delay, and decrypts older values", async () => {
    const tenantId = newId("dev");
    const older = (await openVault(newProcess(), tenantId)).seal(context, "older");
    harness.clock.advanceSeconds(1);
    await addDataKey(harness.app, { tenantId, version: 2 });

    harness.clock.advanceSeconds(ACTIVATION_DELAY_MS / 1000 - 1);
    const early = await openVault(newProcess(), tenantId);
    expect(early.seal(context, "early").readUInt32BE(1)).toBe(1);

    harness.clock.advanceSeconds(1);
    const vault = await openVault(newProcess(), tenantId);
    const newer = vault.seal(context, "newer");

    expect(newer.readUInt32BE(1)).toBe(2);
    expect(vault.open(context, older).toString()).toBe("older");
    expect(early.open(context, newer).toString()).toBe("newer");
  });

  it("fingerprint: is the same in every process of a tenant, and differs between tenants", async () => {
    const tenantId = newId("dev");
    const vault = await openVault(newProcess(), tenantId);

    const fingerprint = vault.fingerprint("value");

    expect(fingerprint).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect((await openVault(newProcess(), tenantId)).fingerprint("value")).toBe(fingerprint);
    expect(vault.fingerprint("valuf")).not.toBe(fingerprint);
    const foreign = await openVault(newProcess(), newId("dev"));
    expect(foreign.fingerprint("value")).not.toBe(fingerprint);
  });

  it("503: the key encryption key is unavailable; the failure is not cached", async () => {
    const tenantId = newId("dev");
    const { keyEncryptionKey } = harness.app;
    let isAvailable = false;
    const callIfAvailable = <Answer>(answer: () => Promise<Answer>) =>
      isAvailable ? answer() : Promise.reject(new Error("no route to the KMS"));
    const access = newProcess({
      id: keyEncryptionKey.id,
      wrap: (...call) => callIfAvailable(() => keyEncryptionKey.wrap(...call)),
      unwrap: (...call) => callIfAvailable(() => keyEncryptionKey.unwrap(...call)),
    });

    await expect(openVault(access, tenantId)).rejects.toMatchObject({
      code: "service_unavailable",
    });
    expect(await storedKeys(tenantId)).toEqual([]);
    await openVault(newProcess(), tenantId);
    await expect(openVault(access, tenantId)).rejects.toMatchObject({
      code: "service_unavailable",
    });

    isAvailable = true;
    const vault = await openVault(access, tenantId);
    isAvailable = false;
    expect(await openVault(access, tenantId)).toBe(vault);
  });
});
