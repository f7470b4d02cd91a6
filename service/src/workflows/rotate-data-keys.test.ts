import { LRUCache } from "lru-cache";
import { describe, expect, it } from "vitest";
import { run } from "../../test/database.ts";
import { useHarness } from "../../test/harness.ts";
import { EnvelopeError } from "../crypto/envelope.ts";
import { withTransaction } from "../db/transaction.ts";
import type { ProjectId, TenantId } from "../foundation/ids.ts";
import { setVariable } from "../modules/env/variables/variables.ts";
import { listDataKeys } from "../vault/queries.ts";
import { continueDataKeyRotations, startDataKeyRotations } from "../vault/rotate-data-keys.ts";
import { ACTIVATION_DELAY_MS, openVault, type TenantVault, VAULT_TTL_MS } from "../vault/vault.ts";
import { rotateDataKeys } from "./rotate-data-keys.ts";
import { sealedColumns } from "./sealed-columns.ts";

const DAY_SECONDS = 24 * 3_600;

describe("rotateDataKeys", () => {
  const harness = useHarness({ settings: { dataKeyAgeMaxDays: 10 } });

  /** Creates a developer with a project and a variable in each environment, encrypted with the first data key. */
  async function arrange() {
    const tenant = await harness.seedTenant();
    const { body: project } = await tenant.post("/projects", { name: "p" });
    const path = `/projects/${project.project_id}`;
    await tenant.put(`${path}/variables/FIRST`, { value: "first value" });
    const projectId: ProjectId = project.project_id;
    return { ...tenant, path, projectId };
  }

  const versionsOf = async (tenantId: TenantId) => {
    const keys = await withTransaction(harness.app.db, tenantId, (tx) => listDataKeys(tx, tenantId));
    return keys.map(({ version }) => version);
  };

  const sealedUnder = (tenantId: TenantId) =>
    withTransaction(harness.app.db, tenantId, async (tx) => {
      const values = await tx
        .selectFrom("projectVariables")
        .select("valueSealedUnder as version")
        .where("tenantId", "=", tenantId)
        .execute();
      const keys = await tx
        .selectFrom("apiKeys")
        .select("signingKeySealedUnder as version")
        .where("tenantId", "=", tenantId)
        .execute();
      return [...new Set([...values, ...keys].map(({ version }) => version))];
    });

  /** Clears the cached data keys, as if the process had just started. */
  const clearVaults = () => harness.app.vaults.clear();

  /** Sets a variable. Encrypts it with `vault`, like a process that was paused after loading the data keys. */
  async function setVariableWith(
    vault: TenantVault,
    { tenantId, projectId, name }: { tenantId: TenantId; projectId: ProjectId; name: string },
  ): Promise<void> {
    const vaults = new LRUCache<TenantId, TenantVault>({ max: 1 });
    vaults.set(tenantId, vault);
    const scope = { tenantId, mode: "live", agentIds: [], projectIds: [] } as const;
    await setVariable(
      { ...harness.app, vaults },
      {
        actor: {
          tenantId,
          mode: "live",
          actor: { type: "developer", id: tenantId, key_id: null, ip: null },
          requestId: null,
        },
        key: { ...scope, projectId },
        name,
        value: `value of ${name}`,
        environments: undefined,
        sensitive: true,
      },
    );
  }

  /** Advances the clock and clears the cached data keys. */
  function advance(seconds: number): void {
    harness.clock.advanceSeconds(seconds);
    clearVaults();
  }

  it("replaces a data key of the maximum age, re-encrypts all values, and deletes the old key a day later", async () => {
    const { tenantId, path, get } = await arrange();

    advance(10 * DAY_SECONDS - 1);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([1]);

    advance(1);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([2, 1]);
    expect(await sealedUnder(tenantId)).toEqual([1]);

    // Loads the data keys into the cache. Cached keys must not delay the rotation.
    await openVault(harness.app, tenantId);
    harness.clock.advanceSeconds(ACTIVATION_DELAY_MS / 1000);
    await rotateDataKeys(harness.app);
    expect(await sealedUnder(tenantId)).toEqual([2]);
    expect(await versionsOf(tenantId)).toEqual([2, 1]);

    advance(DAY_SECONDS - 1);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([2, 1]);

    advance(1);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([2]);
    const deletions = await harness.app.db
      .selectFrom("auditEntries")
      .select(["actor", "subject"])
      .where("tenantId", "=", tenantId)
      .where("action", "=", "data_key.destroyed")
      .execute();
    expect(deletions).toMatchObject([{ actor: { type: "system" }, subject: { id: "1" } }]);
    clearVaults();
    const { status, body } = await get(`${path}/env`);
    expect([status, body.env]).toEqual([200, { FIRST: "first value" }]);
  });

  it("leaves only the newest data key of a tenant without encrypted values", async () => {
    const tenantId = await harness.seedDeveloper();
    await openVault(harness.app, tenantId);
    advance(10 * DAY_SECONDS);
    await rotateDataKeys(harness.app);
    advance(ACTIVATION_DELAY_MS / 1000 + DAY_SECONDS);

    await rotateDataKeys(harness.app);

    expect(await versionsOf(tenantId)).toEqual([2]);
  });

  it("does not lose values that a process writes before it has loaded the new data key", async () => {
    const { tenantId, path, put, get } = await arrange();
    advance(10 * DAY_SECONDS);
    // The data keys are loaded just before the rotation and then cached for the maximum time.
    const cachedVault = await openVault(harness.app, tenantId);
    harness.clock.advanceSeconds(1);
    await rotateDataKeys(harness.app);
    harness.clock.advanceSeconds(VAULT_TTL_MS / 1000 - 1);
    harness.app.vaults.set(tenantId, cachedVault);
    expect((await put(`${path}/variables/LATE`, { value: "late value" })).status).toBe(200);

    advance(ACTIVATION_DELAY_MS / 1000);
    await rotateDataKeys(harness.app);
    expect(await sealedUnder(tenantId)).toEqual([2]);
    clearVaults();
    expect((await get(`${path}/env`)).body.env).toEqual({
      FIRST: "first value",
      LATE: "late value",
    });
  });

  it("the database rejects a value whose data key was deleted, and the deletion of a data key in use", async () => {
    const { tenantId, projectId, path, get } = await arrange();
    advance(10 * DAY_SECONDS);
    const stale = await openVault(harness.app, tenantId);
    await rotateDataKeys(harness.app);
    advance(ACTIVATION_DELAY_MS / 1000);
    await rotateDataKeys(harness.app);
    await setVariableWith(stale, { tenantId, projectId, name: "LATE" });
    advance(DAY_SECONDS);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([2, 1]);

    advance(1);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([2]);
    await expect(setVariableWith(stale, { tenantId, projectId, name: "LATER" })).rejects.toMatchObject({
      code: "23503",
    });
    clearVaults();
    expect((await get(`${path}/env`)).body.env).toEqual({
      FIRST: "first value",
      LATE: "value of LATE",
    });
  });

  it("continues after an interruption; every value can be decrypted at any time", async () => {
    const { tenantId, path, put, get } = await arrange();
    const names = Array.from({ length: 6 }, (_, number) => `NAME_${number}`);
    for (const name of names) await put(`${path}/variables/${name}`, { value: `value of ${name}` });
    advance(10 * DAY_SECONDS);
    await startDataKeyRotations(harness.app, { madeBefore: harness.clock.now(), tenantId });
    advance(ACTIVATION_DELAY_MS / 1000);

    let failures = 0;
    for (let columns = 0; columns <= sealedColumns.length; columns += 1) {
      // In this run, the re-encryption fails after `columns` values.
      let reached = 0;
      const failing = sealedColumns.map((column) => ({
        ...column,
        contextOf: (row: Parameters<typeof column.contextOf>[0]) => {
          reached += 1;
          if (reached > columns) throw new Error("killed");
          return column.contextOf(row);
        },
      }));
      await continueDataKeyRotations(harness.app, failing);
      failures += Number(reached > columns);
      clearVaults();
      const { env } = (await get(`${path}/env`)).body;
      expect(env).toMatchObject(Object.fromEntries(names.map((name) => [name, `value of ${name}`])));
    }
    await continueDataKeyRotations(harness.app, sealedColumns);

    expect(failures).toBeGreaterThan(1);
    expect(await sealedUnder(tenantId)).toEqual([2]);
  });

  it("does not lose values that are written and read during concurrent rotations", async () => {
    const { tenantId, path, put, get } = await arrange();
    advance(10 * DAY_SECONDS);
    await startDataKeyRotations(harness.app, { madeBefore: harness.clock.now(), tenantId });
    advance(ACTIVATION_DELAY_MS / 1000);
    const last: Record<string, string> = {};
    const write = async (writer: number) => {
      for (let round = 0; round < 8; round += 1) {
        const [name, value] = [`NAME_${writer}`, `round ${round}`];
        expect((await put(`${path}/variables/${name}`, { value })).status).toBe(200);
        last[name] = value;
        expect((await get(`${path}/env`)).status).toBe(200);
      }
    };
    const rotate = async () => {
      for (let round = 0; round < 8; round += 1) {
        await continueDataKeyRotations(harness.app, sealedColumns);
        clearVaults();
      }
    };

    await Promise.all([write(1), write(2), write(3), rotate(), rotate()]);
    await continueDataKeyRotations(harness.app, sealedColumns);

    expect(await sealedUnder(tenantId)).toEqual([2]);
    expect((await get(`${path}/env`)).body.env).toEqual({ FIRST: "first value", ...last });
  });

  it("skips and logs a value that was tampered with, and does not delete its data key", async () => {
    const { tenantId, path, put } = await arrange();
    await put(`${path}/variables/SECOND`, { value: "second value" });
    await run(
      harness.database.superuserUrl,
      `update project_variables set value_sealed = set_byte(value_sealed, 40, get_byte(value_sealed, 40) # 1)
       where tenant_id = '${tenantId}' and name = 'SECOND' and environment = 'development'`,
    );
    advance(10 * DAY_SECONDS);
    await rotateDataKeys(harness.app);
    for (const seconds of [ACTIVATION_DELAY_MS / 1000, DAY_SECONDS, 1]) {
      advance(seconds);
      await rotateDataKeys(harness.app);
    }

    expect((await sealedUnder(tenantId)).sort()).toEqual([1, 2]);
    expect(await versionsOf(tenantId)).toEqual([2, 1]);
    expect(harness.logLines.join("")).toContain("could not decrypt a stored value");
  });

  it("a value sealed with a deleted data key cannot be decrypted", async () => {
    const { tenantId, path } = await arrange();
    const before = await openVault(harness.app, tenantId);
    const sealed = before.seal({ kind: "note", subject: "n", field: "text", version: 1 }, "text");
    advance(10 * DAY_SECONDS);
    await rotateDataKeys(harness.app);
    for (const seconds of [ACTIVATION_DELAY_MS / 1000, DAY_SECONDS, 1]) {
      advance(seconds);
      await rotateDataKeys(harness.app);
    }
    clearVaults();

    const after = await openVault(harness.app, tenantId);

    expect(path).toBeDefined();
    expect(() => after.open({ kind: "note", subject: "n", field: "text", version: 1 }, sealed)).toThrow(EnvelopeError);
  });
});
