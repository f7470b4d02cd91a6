import { afterAll, beforeAll, expect, it } from "vitest";
import { createServiceDatabase, openServiceDatabase } from "../../test/database.ts";
import type { Db } from "./database.ts";
import { tableOf } from "./table.ts";

let db: Db;
const catalogs = tableOf("providerCatalogs", ["provider"]);
const entry = (provider: string) => ({ provider, entry: JSON.stringify({ provider }), readAt: new Date(0) });

beforeAll(async () => {
  db = openServiceDatabase(await createServiceDatabase());
});

afterAll(async () => {
  await db.destroy();
});

it("finds and changes only the row that has the key", async () => {
  const [readAt, later] = [new Date(0), new Date(1)];

  const found = await db.transaction().execute(async (tx) => {
    await catalogs.insert(tx, entry("a"));
    const inserted = await catalogs.insertAndGet(tx, entry("b"));
    const changed = await catalogs.updateAndGet(tx, { provider: "a" }, { readAt: later });
    return { inserted, changed, locked: await catalogs.lock(tx, inserted) };
  });

  expect(found.inserted).toMatchObject({ provider: "b", readAt });
  expect(found.locked).toEqual(found.inserted);
  expect(found.changed).toMatchObject({ provider: "a", readAt: later });
  expect(await catalogs.get(db, { provider: "b" })).toEqual(found.inserted);
  expect(await catalogs.find(db, { provider: "c" })).toBeUndefined();
  await expect(catalogs.get(db, { provider: "c" })).rejects.toThrow("no result");
});

it("inserts a row only if its key is new", async () => {
  const [readAt, later] = [new Date(0), new Date(1)];

  const inserted = await db.transaction().execute(async (tx) => {
    const first = await catalogs.insertIfNew(tx, entry("new"));
    return [first, await catalogs.insertIfNew(tx, { ...entry("new"), readAt: later })];
  });

  expect(inserted).toEqual([true, false]);
  expect(await catalogs.get(db, { provider: "new" })).toMatchObject({ readAt });
});

it("puts a row in the place of the one that has the key, and of no other", async () => {
  const later = new Date(1);

  await db.transaction().execute(async (tx) => {
    await catalogs.put(tx, entry("put"));
    await catalogs.put(tx, entry("other"));
    await catalogs.put(tx, { ...entry("put"), readAt: later });
  });

  expect(await catalogs.get(db, { provider: "put" })).toMatchObject({ readAt: later });
  expect(await catalogs.get(db, { provider: "other" })).toMatchObject({ readAt: new Date(0) });
});

it("a key without one of its columns matches nothing: the statement is refused", async () => {
  await expect(catalogs.find(db, {} as never)).rejects.toThrow("the key has the column provider");
});
