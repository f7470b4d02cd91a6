import { describe, expect, it } from "vitest";
import { appendEntries } from "../../test/audit-trail.ts";
import { run } from "../../test/database.ts";
import { useHarness } from "../../test/harness.ts";
import { withTransaction } from "../db/transaction.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import { appendAuditEntry } from "./append.ts";
import { verifyChain } from "./chains/verify.ts";

describe("appendAuditEntry", () => {
  const harness = useHarness();

  const entriesOf = (tenantId: TenantId) =>
    harness.app.db.selectFrom("auditEntries").select(["auditId", "action"]).where("tenantId", "=", tenantId).execute();

  /** Makes every insert into `audit_entries` fail with the given SQLSTATE while `work` runs. */
  async function withFailingAuditInserts(sqlState: string, work: () => Promise<void>): Promise<void> {
    const { superuserUrl } = harness.database;
    await run(
      superuserUrl,
      `create function refuse_entry() returns trigger language plpgsql as
         $$ begin raise exception 'could not extend file' using errcode = '${sqlState}'; end $$;
       create trigger refuse_entry before insert on audit_entries for each row execute function refuse_entry()`,
    );
    try {
      await work();
    } finally {
      await run(superuserUrl, "drop function refuse_entry cascade");
    }
  }

  it("writes nothing if the change's transaction is rolled back", async () => {
    const tenantId = newId("dev");
    const actor = {
      tenantId,
      mode: "live",
      actor: { type: "developer", id: tenantId, key_id: null, ip: null },
      requestId: null,
    } as const;

    const work = withTransaction(harness.app.db, tenantId, async (tx) => {
      for (const chain of ["tenant", "provider_keys"] as const) {
        await appendAuditEntry(tx, actor, {
          chain,
          action: "note.written",
          subject: { type: "note", id: "n1" },
          facts: {},
          occurredAt: harness.clock.now(),
        });
      }
      throw new Error("rolled back by the test");
    });

    await expect(work).rejects.toThrow("rolled back by the test");
    expect(await entriesOf(tenantId)).toEqual([]);
    for (const chain of ["tenant", "provider_keys"] as const) {
      expect(await verifyChain(harness.app, { tenantId, chain })).toMatchObject({
        valid: true,
        entriesChecked: 0,
      });
    }
  });

  it("adds entries of concurrent writers to the provider_keys chain without a fork", async () => {
    const key = { tenantId: newId("dev"), chain: "provider_keys" } as const;

    await Promise.all(
      Array.from({ length: 12 }, (_, index) => appendEntries(harness.app.db, key, { count: 3, first: 3 * index })),
    );

    const chained = await harness.app.db
      .selectFrom("auditLinks")
      .select("sequence")
      .where("tenantId", "=", key.tenantId)
      .orderBy("sequence")
      .execute();
    expect(chained.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 36 }, (_, index) => index + 1));
    expect(await verifyChain(harness.app, key)).toMatchObject({ valid: true, entriesChecked: 36 });
  });

  it.each([
    ["500", "P0001", "internal_error"],
    ["503", "53100", "service_unavailable"],
  ])(
    "%s: the audit entry cannot be written (%s), so the key is not revoked; a later attempt succeeds",
    async (status, sqlState, code) => {
      const tenant = await harness.seedTenant();
      const { keyId, get } = await harness.seedKey(tenant.tenantId);
      const revoke = () => tenant.delete(`/developers/me/keys/${keyId}`);

      await withFailingAuditInserts(sqlState, async () => {
        expect(await revoke()).toMatchObject({ status: Number(status), body: { code } });
      });

      expect(await entriesOf(tenant.tenantId)).toEqual([]);
      expect((await get("/developers/me")).status).toBe(200);
      expect((await revoke()).status).toBe(200);
      expect(await entriesOf(tenant.tenantId)).toMatchObject([{ action: "api_key.revoked" }]);
      expect((await get("/developers/me")).status).toBe(401);
    },
  );

  it.each(["audit_entries", "events"])(
    "503: no disk space for a row in %s, so the project is not created",
    async (table) => {
      const tenant = await harness.seedTenant();
      await run(
        harness.database.superuserUrl,
        `create function disk_full() returns trigger language plpgsql as
           $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$;
         create trigger disk_full before insert on ${table} for each row execute function disk_full()`,
      );

      const response = await tenant.post("/projects", { name: "Lost" });
      await run(harness.database.superuserUrl, "drop function disk_full cascade");

      expect(response).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
      expect((await tenant.get("/projects")).body.data).toEqual([]);
      expect((await tenant.post("/projects", { name: "Lost" })).status).toBe(201);
    },
  );
});
