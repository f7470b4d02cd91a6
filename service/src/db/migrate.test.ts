import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, run } from "../../test/database.ts";
import { migrate, missingMigrations } from "./migrate.ts";

describe("migrate", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => database.drop());

  async function select<Row extends object>(text: string): Promise<Row[]> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  const tables = async () =>
    (
      await select<{ name: string }>(
        "select table_name as name from information_schema.tables where table_schema = 'public'",
      )
    ).map(({ name }) => name);

  it("applies every file once, in order, and finds nothing to do the second time", async () => {
    const applied = await migrate({ ownerUrl: database.url });

    expect(applied.length).toBeGreaterThan(2);
    expect(applied).toEqual(applied.toSorted());
    expect(await migrate({ ownerUrl: database.url })).toEqual([]);
    expect(await missingMigrations(select)).toEqual([]);
  });

  it("several at once are safe: one applies all files, and the others find nothing left to do", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => migrate({ ownerUrl: database.url })),
    );

    const lengths = outcomes.map(({ length }) => length).sort();
    expect(lengths.slice(0, 3)).toEqual([0, 0, 0]);
    expect(lengths[3]).toBeGreaterThan(2);
  });

  it("a file that fails leaves nothing of itself behind, and is applied whole when it can be", async () => {
    // Fails at the very last step, when the file itself has gone through and is to be noted.
    await run(
      database.url,
      `create table schema_migrations (
        name text primary key constraint not_the_third check (name not like '0003%'),
        applied_at timestamptz not null default now()
      )`,
    );

    await expect(migrate({ ownerUrl: database.url })).rejects.toThrow("not_the_third");

    const left = await tables();
    expect(left).toContain("audit_entries");
    expect(left).not.toContain("projects");
    const missing = await missingMigrations(select);
    expect(missing[0]).toBe("0003_projects.sql");
    await run(database.url, "alter table schema_migrations drop constraint not_the_third");
    expect(await migrate({ ownerUrl: database.url })).toEqual(missing);
    expect(await tables()).toContain("projects");
  });
});
