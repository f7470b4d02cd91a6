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
    harness.app.db
      .selectFrom("auditEntries")
      .select(["auditId", "action"])
      .where("tenantId", "=", tenantId)
      .execute();

  /** While the work runs, no entry can be written, and the database says why in a code of its own. */
  async function withoutTrail(sqlState: string, work: () => Promise<void>): Promise<void> {
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

  it("writes nothing when the transaction of what it tells of is taken back", async () => {
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
      throw new Error("it did not happen");
    });

    await expect(work).rejects.toThrow("it did not happen");
    expect(await entriesOf(tenantId)).toEqual([]);
    for (const chain of ["tenant", "provider_keys"] as const) {
      expect(await verifyChain(harness.app, { tenantId, chain })).toMatchObject({
        valid: true,
        entriesChecked: 0,
      });
    }
  });

  it("links an entry of the provider keys' chain at once, writer after writer", async () => {
    const key = { tenantId: newId("dev"), chain: "provider_keys" } as const;

    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        appendEntries(harness.app.db, key, { count: 3, first: 3 * index }),
      ),
    );

    const links = await harness.app.db
      .selectFrom("auditLinks")
      .select("sequence")
      .where("tenantId", "=", key.tenantId)
      .orderBy("sequence")
      .execute();
    expect(links.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 36 }, (_, index) => index + 1),
    );
    expect(await verifyChain(harness.app, key)).toMatchObject({ valid: true, entriesChecked: 36 });
  });

  it.each([
    ["500", "P0001", "internal_error"],
    ["503", "53100", "service_unavailable"],
  ])(
    "%s: what cannot be told (%s) does not happen, and can be done afterwards",
    async (status, sqlState, code) => {
      const tenant = await harness.seedTenant();
      const { keyId, get } = await harness.seedKey(tenant.tenantId);
      const revoke = () => tenant.delete(`/developers/me/keys/${keyId}`);

      await withoutTrail(sqlState, async () => {
        expect(await revoke()).toMatchObject({ status: Number(status), body: { code } });
      });

      expect(await entriesOf(tenant.tenantId)).toEqual([]);
      expect((await get("/developers/me")).status).toBe(200);
      expect((await revoke()).status).toBe(200);
      expect(await entriesOf(tenant.tenantId)).toMatchObject([{ action: "api_key.revoked" }]);
      expect((await get("/developers/me")).status).toBe(401);
    },
  );

  it.each(["audit_entries", "outbox_messages"])(
    "503: a project whose row in %s finds no room on the disk is not created",
    async (table) => {
      const tenant = await harness.seedTenant();
      await run(
        harness.database.superuserUrl,
        `create function no_room() returns trigger language plpgsql as
           $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$;
         create trigger no_room before insert on ${table} for each row execute function no_room()`,
      );

      const answer = await tenant.post("/projects", { name: "Lost" });
      await run(harness.database.superuserUrl, "drop function no_room cascade");

      expect(answer).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
      expect((await tenant.get("/projects")).body.data).toEqual([]);
      expect((await tenant.post("/projects", { name: "Lost" })).status).toBe(201);
    },
  );
});
