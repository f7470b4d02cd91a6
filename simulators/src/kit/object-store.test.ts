import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../../../service/test/database.ts";
import { createObjectTable, openObjectStore } from "./object-store.ts";

describe("openObjectStore", () => {
  const at = new Date("2026-01-01T12:00:00.000Z");
  const now = () => at;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let pool: Pool;
  const storeOf = (vendor: string) => openObjectStore({ pool, vendor, now });

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url, max: 8 });
    // Dropping the database terminates connections that `pool.end()` has not closed yet. Without a listener, their
    // error events would fail the test run.
    pool.on("error", () => {});
  });
  afterAll(async () => {
    await pool.end();
  });

  it("createObjectTable: concurrent calls create one table", async () => {
    await Promise.all(Array.from({ length: 4 }, () => createObjectTable(pool)));
  });

  it("insert stores an object, and returns false if the id is taken", async () => {
    const store = storeOf("stored");
    const object = { type: "pot", id: "p1", state: "new", data: { list: [1, null], "a.b": {} } };
    expect(await store.insert(object)).toBe(true);
    expect(await store.insert({ ...object, state: "other" })).toBe(false);
    expect(await store.insert({ ...object, type: "cup" })).toBe(true);
    expect(await store.find("pot", "p1")).toEqual({ ...object, createdAt: at });
    expect(await store.find("pot", "p2")).toBeUndefined();
  });

  it("list and listAll return the oldest object first", async () => {
    const store = storeOf("listed");
    for (const id of ["z", "a", "m"])
      await store.insert({ type: id === "a" ? "cup" : "pot", id, state: "new", data: {} });
    expect((await store.list("pot")).map(({ id }) => id)).toEqual(["z", "m"]);
    expect((await store.listAll()).map(({ id }) => id)).toEqual(["z", "a", "m"]);
  });

  it("update changes only the given fields of a single object", async () => {
    const store = storeOf("changed");
    await store.insert({ type: "pot", id: "p1", state: "new", data: { a: 1, b: 2 } });
    await store.insert({ type: "pot", id: "p2", state: "new", data: {} });
    await store.update("pot", "p1", { state: "old" });
    expect(await store.find("pot", "p1")).toMatchObject({ state: "old", data: { a: 1, b: 2 } });
    await store.update("pot", "p1", { data: { c: 3 } });
    expect((await store.find("pot", "p1"))?.data).toEqual({ c: 3 });
    expect(await store.find("pot", "p1")).toMatchObject({ state: "old" });
    expect(await store.find("pot", "p2")).toMatchObject({ state: "new", data: {} });
  });

  it("claim succeeds for only one of several concurrent callers", async () => {
    const store = storeOf("claimed");
    await store.insert({ type: "code", id: "c", state: "issued", data: {} });
    const claims = await Promise.all(Array.from({ length: 8 }, () => store.claim("code", "c", "issued", "used")));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await store.find("code", "c")).toMatchObject({ state: "used" });
    expect(await store.claim("code", "c", "issued", "used")).toBe(false);
  });

  it("remove returns false the second time", async () => {
    const store = storeOf("removed");
    await store.insert({ type: "pot", id: "p1", state: "new", data: {} });
    expect(await store.remove("pot", "p1")).toBe(true);
    expect(await store.remove("pot", "p1")).toBe(false);
  });

  it("a vendor cannot read or change another vendor's objects", async () => {
    const [one, other] = [storeOf("one"), storeOf("other")];
    await one.insert({ type: "pot", id: "p1", state: "new", data: {} });
    expect(await other.find("pot", "p1")).toBeUndefined();
    expect(await other.listAll()).toEqual([]);
    await other.update("pot", "p1", { state: "stolen" });
    expect(await other.claim("pot", "p1", "new", "stolen")).toBe(false);
    expect(await other.remove("pot", "p1")).toBe(false);
    expect(await one.find("pot", "p1")).toMatchObject({ state: "new" });
  });
});
