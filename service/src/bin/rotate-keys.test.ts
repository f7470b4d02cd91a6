import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { runAsOperator, runInProcess } from "../../test/run-command.ts";
import { createFileKeyEncryptionKey } from "../adapters/key-encryption-key/file-key-encryption-key.ts";
import { createKeyring } from "../adapters/key-encryption-key/keyring.ts";
import { keysCommand } from "./keys-command.ts";

const [OLD, CURRENT] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
const [old, current] = [createFileKeyEncryptionKey(OLD), createFileKeyEncryptionKey(CURRENT)];

describe("npm run keys", () => {
  // The service knows the new key and still wraps under the old one, as in the first step of a rotation.
  const harness = useHarness({
    replace: () => ({ keyEncryptionKey: createKeyring(old, [current]) }),
  });

  const given = (environment: Readonly<Record<string, string>>) => ({
    databaseUrl: harness.database.serviceUrl,
    folder: harness.folder,
    environment: {
      PURSER_KEY_ENCRYPTION_KEY: CURRENT,
      PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS: OLD,
      ...environment,
    },
  });
  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    runInProcess(keysCommand, args, given(environment));

  const wrappings = (tenantId: string) =>
    harness.app.db
      .selectFrom("dataKeyWrappings")
      .select(["version", "keyEncryptionKeyId", "superseded"])
      .where("tenantId", "=", tenantId as "dev_")
      .orderBy("version")
      .execute();

  it("wraps every data key under the current key, which then does alone; a second time there is nothing to do", async () => {
    const { tenantId, get } = await harness.seedTenant();

    const ended = await run(["rewrap"]);

    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toContain(`under ${current.id} now`);
    expect(await wrappings(tenantId)).toEqual([
      { version: 1, keyEncryptionKeyId: current.id, superseded: false },
    ]);
    expect((await run(["rewrap"], { PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS: "" })).stdout).toContain(
      "0 data keys",
    );
    harness.app.vaults.clear();
    expect((await get("/developers/me")).status).toBe(200);
  });

  it("ends with an error where a data key is left, and says which", async () => {
    const { tenantId } = await harness.seedTenant();

    const forgotten = given({ PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS: "" });
    const ended = await runAsOperator("rotate-keys.ts", ["rewrap"], forgotten);

    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(tenantId)]);
    expect(ended.stderr).toContain(old.id);
    await run(["rewrap"]);
  });

  it("begins another data key for one tenant, and not twice", async () => {
    // Made long ago by the clock of the command, which is the machine's.
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

  it("says how it is called where it is called otherwise", async () => {
    const [unknown, foreign] = await Promise.all([
      run(["spin"]),
      run(["rotate", "--tenant", "dev_1"]),
    ]);

    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("npm run keys --")]);
    expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining("no tenant")]);
  });
});
