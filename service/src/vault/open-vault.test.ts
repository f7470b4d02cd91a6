import { LRUCache } from "lru-cache";
import { describe, expect, it } from "vitest";
import { run } from "../../test/database.ts";
import { useHarness } from "../../test/harness.ts";
import { EnvelopeError } from "../crypto/envelope.ts";
import { withTransaction } from "../db/transaction.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import type { KeyEncryptionKey } from "../ports/key-encryption-key.ts";
import { addDataKey } from "./add-data-key.ts";
import { openVault, PUBLISHED_MS, type TenantVault, type VaultAccess } from "./open-vault.ts";
import { listDataKeys } from "./queries.ts";

const context = { kind: "note", subject: "n1", field: "text", version: 1 };

describe("openVault", () => {
  const harness = useHarness();

  /** The vaults as a process sees them that has opened none yet. */
  function freshProcess(keyEncryptionKey?: KeyEncryptionKey): VaultAccess {
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

  it("seals for the tenant, and opens it again in another process", async () => {
    const tenantId = newId("dev");
    const sealed = (await openVault(freshProcess(), tenantId)).seal(context, "secret text");

    const vault = await openVault(freshProcess(), tenantId);

    expect(vault.open(context, sealed).toString()).toBe("secret text");
    expect(await storedKeys(tenantId)).toHaveLength(1);
  });

  it("gives a tenant one first key: a process that comes second with its own takes the one that is there", async () => {
    const tenantId = newId("dev");
    const { keyEncryptionKey } = harness.app;
    const { promise: firstIsDone, resolve: release } = Promise.withResolvers<void>();
    const second = openVault(
      freshProcess({
        ...keyEncryptionKey,
        wrap: async (...call) => {
          await firstIsDone;
          return keyEncryptionKey.wrap(...call);
        },
      }),
      tenantId,
    );
    const sealed = (await openVault(freshProcess(), tenantId)).seal(context, "secret text");

    release();

    expect((await second).open(context, sealed).toString()).toBe("secret text");
    expect(await storedKeys(tenantId)).toHaveLength(1);
  });

  it("opens nothing of another tenant's, even where that one's data key was copied over its own", async () => {
    const [own, foreign] = [newId("dev"), newId("dev")];
    const foreignVault = await openVault(freshProcess(), foreign);
    const sealed = foreignVault.seal(context, "secret text");
    const ownVault = await openVault(freshProcess(), own);

    expect(() => ownVault.open(context, sealed)).toThrow(EnvelopeError);

    await run(
      harness.database.superuserUrl,
      `update tenant_data_keys set wrapped = (select wrapped from tenant_data_keys where tenant_id = '${foreign}')
       where tenant_id = '${own}'`,
    );
    await expect(openVault(freshProcess(), own)).rejects.toMatchObject({
      code: "service_unavailable",
    });
  });

  it("seals under a newer data key once every process must have it, and opens what older ones sealed", async () => {
    const tenantId = newId("dev");
    const older = (await openVault(freshProcess(), tenantId)).seal(context, "older");
    harness.clock.advanceSeconds(1);
    await addDataKey(harness.app, { tenantId, version: 2 });

    harness.clock.advanceSeconds(PUBLISHED_MS / 1000 - 1);
    const early = await openVault(freshProcess(), tenantId);
    expect(early.seal(context, "early").readUInt32BE(1)).toBe(1);

    harness.clock.advanceSeconds(1);
    const vault = await openVault(freshProcess(), tenantId);
    const newer = vault.seal(context, "newer");

    expect(newer.readUInt32BE(1)).toBe(2);
    expect(vault.open(context, older).toString()).toBe("older");
    expect(early.open(context, newer).toString()).toBe("newer");
  });

  it("fingerprints alike what is alike, for one tenant and in every process, and for nobody else", async () => {
    const tenantId = newId("dev");
    const vault = await openVault(freshProcess(), tenantId);

    const fingerprint = vault.fingerprint("value");

    expect(fingerprint).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect((await openVault(freshProcess(), tenantId)).fingerprint("value")).toBe(fingerprint);
    expect(vault.fingerprint("valuf")).not.toBe(fingerprint);
    const foreign = await openVault(freshProcess(), newId("dev"));
    expect(foreign.fingerprint("value")).not.toBe(fingerprint);
  });

  it("503: fails while the key encryption key does not answer, remembers nothing of that, and works after it", async () => {
    const tenantId = newId("dev");
    const { keyEncryptionKey } = harness.app;
    let answers = false;
    const asked = <Answer>(answer: () => Promise<Answer>) =>
      answers ? answer() : Promise.reject(new Error("no route to the KMS"));
    const access = freshProcess({
      id: keyEncryptionKey.id,
      wrap: (...call) => asked(() => keyEncryptionKey.wrap(...call)),
      unwrap: (...call) => asked(() => keyEncryptionKey.unwrap(...call)),
    });

    await expect(openVault(access, tenantId)).rejects.toMatchObject({
      code: "service_unavailable",
    });
    expect(await storedKeys(tenantId)).toEqual([]);
    await openVault(freshProcess(), tenantId);
    await expect(openVault(access, tenantId)).rejects.toMatchObject({
      code: "service_unavailable",
    });

    answers = true;
    const vault = await openVault(access, tenantId);
    answers = false;
    expect(await openVault(access, tenantId)).toBe(vault);
  });
});
