import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import { insertDeveloper } from "../modules/developers/queries.ts";
import { compileOnce } from "./compile-once.ts";
import { withTransaction } from "./transaction.ts";

interface DeveloperKey {
  readonly tenantId: TenantId;
  readonly email: string;
}

describe("compileOnce", () => {
  const harness = useHarness();

  const byTenant = () =>
    compileOnce((db, { tenantId }: { readonly tenantId: TenantId }) =>
      db.selectFrom("developers").select("tenantId").where("tenantId", "=", tenantId),
    );

  it("binds each call's own values, for concurrent calls too", async () => {
    const tenants = await Promise.all(Array.from({ length: 8 }, harness.seedDeveloper));
    const select = byTenant();

    const found = await Promise.all(tenants.map((tenantId) => select(harness.app.db, { tenantId })));

    expect(found).toEqual(tenants.map((tenantId) => [{ tenantId }]));
  });

  it("binds a parameter wherever it is used, and does not change constants", async () => {
    const tenantId = await harness.seedDeveloper();
    const select = compileOnce((db, { tenantId, email }: DeveloperKey) =>
      db
        .selectFrom("developers")
        .select("tenantId")
        .where("email", "=", email)
        .where("status", "=", "active")
        .where("tenantId", "=", tenantId)
        .where("tenantId", "in", [tenantId, newId("dev")]),
    );

    const email = `${tenantId}@example.com`;
    expect(await select(harness.app.db, { tenantId, email })).toEqual([{ tenantId }]);
    expect(await select(harness.app.db, { tenantId, email: "other@example.com" })).toEqual([]);
    expect(await select(harness.app.db, { tenantId: newId("dev"), email })).toEqual([]);
  });

  it("runs in the given transaction", async () => {
    const tenantId = newId("dev");
    const select = byTenant();
    const at = harness.clock.now();

    const undone = withTransaction(harness.app.db, tenantId, async (tx) => {
      await insertDeveloper(tx, {
        tenantId,
        email: `${tenantId}@example.com`,
        status: "active",
        emailVerifiedAt: at,
        createdAt: at,
        updatedAt: at,
      });

      expect(await select(tx, { tenantId })).toEqual([{ tenantId }]);
      throw new Error("undo");
    });
    await expect(undone).rejects.toThrow("undo");

    expect(await select(harness.app.db, { tenantId })).toEqual([]);
  });

  it("calls build once", async () => {
    let built = 0;
    const select = compileOnce((db, { tenantId }: { readonly tenantId: TenantId }) => {
      built += 1;
      return db.selectFrom("developers").select("tenantId").where("tenantId", "=", tenantId);
    });

    await select(harness.app.db, { tenantId: newId("dev") });
    await select(harness.app.db, { tenantId: newId("dev") });

    expect(built).toBe(1);
  });

  it("throws if build reads a parameter that is not in the statement", async () => {
    const select = compileOnce((db, { tenantId, email }: DeveloperKey) => {
      const query = db.selectFrom("developers").selectAll().where("tenantId", "=", tenantId);
      return email === "" ? query : query.where("status", "=", "active");
    });

    const call = select(harness.app.db, { tenantId: newId("dev"), email: "" });

    await expect(call).rejects.toThrow("uses the parameter email");
  });
});
