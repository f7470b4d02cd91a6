import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { runAsOperator, runInProcess } from "../../test/run-command.ts";
import { createFileKeyEncryptionKey, createKeyring } from "../adapters/key-encryption-key/file-key-encryption-key.ts";
import { keysCommand } from "./keys-command.ts";

const [OLD, CURRENT] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
const [old, current] = [createFileKeyEncryptionKey(OLD), createFileKeyEncryptionKey(CURRENT)];

describe("npm run keys", () => {
  // The server can decrypt with the new key but still encrypts with the old one, as in the first step of a rotation.
  const harness = useHarness({
    replace: () => ({ keyEncryptionKey: createKeyring(old, [current]) }),
  });

  const inputOf = (environment: Readonly<Record<string, string>>) => ({
    databaseUrl: harness.database.serviceUrl,
    folder: harness.folder,
    environment: {
      PURSER_KEY_ENCRYPTION_KEY: CURRENT,
      PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS: OLD,
      ...environment,
    },
  });
  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    runInProcess(keysCommand, args, inputOf(environment));

  const wrappings = (tenantId: string) =>
    harness.app.db
      .selectFrom("dataKeyWrappings")
      .select(["version", "keyEncryptionKeyId", "superseded"])
      .where("tenantId", "=", tenantId as "dev_")
      .orderBy("version")
      .execute();

  it("rewrap: re-encrypts every data key with the current key, and none the second time", async () => {
    const { tenantId, get } = await harness.seedTenant();

    const ended = await run(["rewrap"]);

    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toContain(`Every data key is encrypted with ${current.id}.`);
    expect(await wrappings(tenantId)).toEqual([{ version: 1, keyEncryptionKeyId: current.id, superseded: false }]);
    expect((await run(["rewrap"], { PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS: "" })).stdout).toContain(
      "Re-encrypted now: 0.",
    );
    harness.app.vaults.clear();
    expect((await get("/developers/me")).status).toBe(200);
  });

  it("rewrap: exit code 1 if a data key cannot be decrypted; the log contains its tenant", async () => {
    const { tenantId } = await harness.seedTenant();

    const withoutOldKey = inputOf({ PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS: "" });
    const ended = await runAsOperator("rotate-keys.ts", ["rewrap"], withoutOldKey);

    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(tenantId)]);
    expect(ended.stderr).toContain(old.id);
    await run(["rewrap"]);
  });

  it("rotate: creates a new data key for one tenant, and rejects a second rotation", async () => {
    // The command uses the system clock, not the test's clock, so `createdAt` is set relative to the system clock.
    const { tenantId } = await harness.seedTenant();
    const other = await harness.seedTenant();
    const madeBefore = new Date(Date.now() - 3_600_000);
    await harness.app.db
      .updateTable("dataKeyWrappings")
      .set({ createdAt: madeBefore })
      .where("tenantId", "in", [tenantId, other.tenantId])
      .execute();

    const ended = await run(["rotate", "--tenant", tenantId]);
    const again = await run(["rotate", "--tenant", tenantId]);

    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("two minutes")]);
    expect((await wrappings(tenantId)).map(({ superseded }) => superseded)).toEqual([true, false]);
    expect(await wrappings(other.tenantId)).toHaveLength(1);
  });

  it("exit code 1: an unknown command or tenant", async () => {
    const [unknown, foreign] = await Promise.all([run(["spin"]), run(["rotate", "--tenant", "dev_1"])]);

    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("npm run keys --")]);
    expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining("not a tenant id")]);
  });
});
