import { afterAll, beforeAll, expect, it } from "vitest";
import { createServiceDatabase, openServiceDatabase } from "../../test/database.ts";
import type { Db } from "./database.ts";
import { tableOf } from "./table.ts";
import { countRows, deleteWhere, exists, rowsWhere, selectWhere, updateWhere } from "./where.ts";

let db: Db;
const [early, late] = [new Date(0), new Date(1)];
const executors = tableOf("workflowExecutors", ["executorId"]);

beforeAll(async () => {
  db = openServiceDatabase(await createServiceDatabase());
  await db.transaction().execute(async (tx) => {
    await executors.insert(tx, [
      { executorId: "a", leaseExpiresAt: early },
      { executorId: "b", leaseExpiresAt: early },
      { executorId: "c", leaseExpiresAt: late },
    ]);
  });
});

afterAll(async () => {
  await db.destroy();
});

it("selects, counts and finds only the rows that have all values", async () => {
  const query = rowsWhere(db, "workflowExecutors", { leaseExpiresAt: early });

  expect(await query.orderBy("executorId").execute()).toEqual([
    { executorId: "a", leaseExpiresAt: early },
    { executorId: "b", leaseExpiresAt: early },
  ]);
  const c = selectWhere(db, "workflowExecutors", { leaseExpiresAt: late });
  expect(await c.select("executorId").execute()).toEqual([{ executorId: "c" }]);
  expect(await countRows(query)).toBe(2);
  expect(await exists(rowsWhere(db, "workflowExecutors", { executorId: "c", leaseExpiresAt: late }))).toBe(true);
  expect(await exists(rowsWhere(db, "workflowExecutors", { executorId: "c", leaseExpiresAt: early }))).toBe(false);
});

it("changes and deletes only the rows that have all values", async () => {
  await db.transaction().execute(async (tx) => {
    await updateWhere(tx, "workflowExecutors", { executorId: "a", leaseExpiresAt: early })
      .set({ leaseExpiresAt: late })
      .execute();
    await updateWhere(tx, "workflowExecutors", { executorId: "b", leaseExpiresAt: late })
      .set({ leaseExpiresAt: late })
      .execute();
    await deleteWhere(tx, "workflowExecutors", { executorId: "c", leaseExpiresAt: late }).execute();
    await deleteWhere(tx, "workflowExecutors", { executorId: "a", leaseExpiresAt: early }).execute();
  });

  expect(await db.selectFrom("workflowExecutors").selectAll().orderBy("executorId").execute()).toEqual([
    { executorId: "a", leaseExpiresAt: late },
    { executorId: "b", leaseExpiresAt: early },
  ]);
});

it.each([undefined, null])("a condition without one of its values matches nothing: the value is %s", (value) => {
  expect(() => rowsWhere(db, "workflowExecutors", { executorId: value } as never).compile()).toThrow(
    "the condition has a value of executorId",
  );
});
