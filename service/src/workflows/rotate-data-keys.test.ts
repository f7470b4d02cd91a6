import { LRUCache } from "lru-cache";
import { describe, expect, it } from "vitest";
import { run } from "../../test/database.ts";
import { useHarness } from "../../test/harness.ts";
import { EnvelopeError } from "../crypto/envelope.ts";
import { withTransaction } from "../db/transaction.ts";
import type { ProjectId, TenantId } from "../foundation/ids.ts";
import { setVariable } from "../modules/projects/index.ts";
import { openVault, PUBLISHED_MS, type TenantVault, VAULT_TTL_MS } from "../vault/open-vault.ts";
import { listDataKeys } from "../vault/queries.ts";
import { beginDataKeyRotations, continueDataKeyRotations } from "../vault/rotate-data-keys.ts";
import { rotateDataKeys } from "./rotate-data-keys.ts";
import { sealedColumns } from "./sealed-columns.ts";

const DAY_SECONDS = 24 * 3_600;

describe("rotateDataKeys", () => {
  const harness = useHarness({ settings: { dataKeyAgeMaxDays: 10 } });

  /** A developer with a project, and a variable in each of its environments, under the tenant's first data key. */
  async function arrange() {
    const tenant = await harness.seedTenant();
    const { body: project } = await tenant.post("/projects", { name: "p" });
    const path = `/projects/${project.project_id}`;
    await tenant.put(`${path}/variables/FIRST`, { value: "first value" });
    const projectId: ProjectId = project.project_id;
    return { ...tenant, path, projectId };
  }

  const versionsOf = async (tenantId: TenantId) => {
    const keys = await withTransaction(harness.app.db, tenantId, (tx) =>
      listDataKeys(tx, tenantId),
    );
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

  /** What a process does that was started this moment. */
  const forgetVaults = () => harness.app.vaults.clear();

  /** Sets a variable as a process does that has stood still since it opened this vault. */
  async function setAt(
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

  /** Time passes, and with it what processes remember. */
  function later(seconds: number): void {
    harness.clock.advanceSeconds(seconds);
    forgetVaults();
  }

  it("gives a key that has come of age a successor, seals all anew, and destroys the old one a day later", async () => {
    const { tenantId, path, get } = await arrange();

    later(10 * DAY_SECONDS - 1);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([1]);

    later(1);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([2, 1]);
    expect(await sealedUnder(tenantId)).toEqual([1]);

    // What the process remembers of before does not hold the rotation up.
    await openVault(harness.app, tenantId);
    harness.clock.advanceSeconds(PUBLISHED_MS / 1000);
    await rotateDataKeys(harness.app);
    expect(await sealedUnder(tenantId)).toEqual([2]);
    expect(await versionsOf(tenantId)).toEqual([2, 1]);

    later(DAY_SECONDS - 1);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([2, 1]);

    later(1);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([2]);
    const told = await harness.app.db
      .selectFrom("auditEntries")
      .select(["actor", "subject"])
      .where("tenantId", "=", tenantId)
      .where("action", "=", "data_key.destroyed")
      .execute();
    expect(told).toMatchObject([{ actor: { type: "system" }, subject: { id: "1" } }]);
    forgetVaults();
    const { status, body } = await get(`${path}/env`);
    expect([status, body.env]).toEqual([200, { FIRST: "first value" }]);
  });

  it("leaves a tenant that has nothing sealed its newest key", async () => {
    const tenantId = await harness.seedDeveloper();
    await openVault(harness.app, tenantId);
    later(10 * DAY_SECONDS);
    await rotateDataKeys(harness.app);
    later(PUBLISHED_MS / 1000 + DAY_SECONDS);

    await rotateDataKeys(harness.app);

    expect(await versionsOf(tenantId)).toEqual([2]);
  });

  it("loses nothing that a process writes which has not heard of the new key", async () => {
    const { tenantId, path, put, get } = await arrange();
    later(10 * DAY_SECONDS);
    // Opened just before: it is kept for as long as a vault may be.
    const unaware = await openVault(harness.app, tenantId);
    harness.clock.advanceSeconds(1);
    await rotateDataKeys(harness.app);
    harness.clock.advanceSeconds(VAULT_TTL_MS / 1000 - 1);
    harness.app.vaults.set(tenantId, unaware);
    expect((await put(`${path}/variables/LATE`, { value: "late value" })).status).toBe(200);

    later(PUBLISHED_MS / 1000);
    await rotateDataKeys(harness.app);
    expect(await sealedUnder(tenantId)).toEqual([2]);
    forgetVaults();
    expect((await get(`${path}/env`)).body.env).toEqual({
      FIRST: "first value",
      LATE: "late value",
    });
  });

  it("has the database refuse a value whose data key is gone, and keep a data key that is used", async () => {
    const { tenantId, projectId, path, get } = await arrange();
    later(10 * DAY_SECONDS);
    const stale = await openVault(harness.app, tenantId);
    await rotateDataKeys(harness.app);
    later(PUBLISHED_MS / 1000);
    await rotateDataKeys(harness.app);
    await setAt(stale, { tenantId, projectId, name: "LATE" });
    later(DAY_SECONDS);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([2, 1]);

    later(1);
    await rotateDataKeys(harness.app);
    expect(await versionsOf(tenantId)).toEqual([2]);
    await expect(setAt(stale, { tenantId, projectId, name: "LATER" })).rejects.toMatchObject({
      code: "23503",
    });
    forgetVaults();
    expect((await get(`${path}/env`)).body.env).toEqual({
      FIRST: "first value",
      LATE: "value of LATE",
    });
  });

  it("goes on where it was stopped, and every value opens wherever that was", async () => {
    const { tenantId, path, put, get } = await arrange();
    const names = Array.from({ length: 6 }, (_, number) => `NAME_${number}`);
    for (const name of names) await put(`${path}/variables/${name}`, { value: `value of ${name}` });
    later(10 * DAY_SECONDS);
    await beginDataKeyRotations(harness.app, { madeBefore: harness.clock.now(), tenantId });
    later(PUBLISHED_MS / 1000);

    let kills = 0;
    for (let columns = 0; columns <= sealedColumns.length; columns += 1) {
      // Each run dies one column further on, in the middle of its batch.
      let reached = 0;
      const dying = sealedColumns.map((column) => ({
        ...column,
        contextOf: (row: Parameters<typeof column.contextOf>[0]) => {
          reached += 1;
          if (reached > columns) throw new Error("killed");
          return column.contextOf(row);
        },
      }));
      await continueDataKeyRotations(harness.app, dying);
      kills += Number(reached > columns);
      forgetVaults();
      const { env } = (await get(`${path}/env`)).body;
      expect(env).toMatchObject(
        Object.fromEntries(names.map((name) => [name, `value of ${name}`])),
      );
    }
    await continueDataKeyRotations(harness.app, sealedColumns);

    expect(kills).toBeGreaterThan(1);
    expect(await sealedUnder(tenantId)).toEqual([2]);
  });

  it("loses nothing that is written and read while it goes on, by however many at once", async () => {
    const { tenantId, path, put, get } = await arrange();
    later(10 * DAY_SECONDS);
    await beginDataKeyRotations(harness.app, { madeBefore: harness.clock.now(), tenantId });
    later(PUBLISHED_MS / 1000);
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
        forgetVaults();
      }
    };

    await Promise.all([write(1), write(2), write(3), rotate(), rotate()]);
    await continueDataKeyRotations(harness.app, sealedColumns);

    expect(await sealedUnder(tenantId)).toEqual([2]);
    expect((await get(`${path}/env`)).body.env).toEqual({ FIRST: "first value", ...last });
  });

  it("leaves a value that somebody has changed as it is, says so, and keeps its key", async () => {
    const { tenantId, path, put } = await arrange();
    await put(`${path}/variables/SECOND`, { value: "second value" });
    await run(
      harness.database.superuserUrl,
      `update project_variables set value_sealed = set_byte(value_sealed, 40, get_byte(value_sealed, 40) # 1)
       where tenant_id = '${tenantId}' and name = 'SECOND' and environment = 'development'`,
    );
    later(10 * DAY_SECONDS);
    await rotateDataKeys(harness.app);
    for (const seconds of [PUBLISHED_MS / 1000, DAY_SECONDS, 1]) {
      later(seconds);
      await rotateDataKeys(harness.app);
    }

    expect((await sealedUnder(tenantId)).sort()).toEqual([1, 2]);
    expect(await versionsOf(tenantId)).toEqual([2, 1]);
    expect(harness.logLines.join("")).toContain("a sealed value does not open");
  });

  it("leaves nothing that the destroyed key would open in a dump of before", async () => {
    const { tenantId, path } = await arrange();
    const before = await openVault(harness.app, tenantId);
    const sealed = before.seal({ kind: "note", subject: "n", field: "text", version: 1 }, "text");
    later(10 * DAY_SECONDS);
    await rotateDataKeys(harness.app);
    for (const seconds of [PUBLISHED_MS / 1000, DAY_SECONDS, 1]) {
      later(seconds);
      await rotateDataKeys(harness.app);
    }
    forgetVaults();

    const after = await openVault(harness.app, tenantId);

    expect(path).toBeDefined();
    expect(() =>
      after.open({ kind: "note", subject: "n", field: "text", version: 1 }, sealed),
    ).toThrow(EnvelopeError);
  });
});
