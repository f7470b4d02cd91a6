import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceDatabase, type TestDatabase } from "../../test/database.ts";
import { sealedColumns } from "./sealed-columns.ts";

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe("sealedColumns", () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createServiceDatabase();
    client = new Client({ connectionString: database.ownerUrl });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
  });

  async function namesOf(query: string): Promise<string[]> {
    const { rows } = await client.query<{ name: string }>(query);
    return rows.map(({ name }) => name);
  }

  const inDatabase = () =>
    namesOf(`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and column_name ~ 'sealed$' order by 1
    `);

  it("includes every column that contains encrypted values", async () => {
    const listed = sealedColumns.map(({ table, column }) => `${snakeCase(table)}.${snakeCase(column)}`);

    expect(listed.sort()).toEqual(await inDatabase());
    expect(listed.length).toBeGreaterThan(5);
  });

  it("are the only binary columns, except the encrypted data keys", async () => {
    const others = await namesOf(`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and column_name !~ 'sealed$' order by 1
    `);

    expect(others).toEqual(["tenant_data_keys.wrapped"]);
  });

  it("have a foreign key that prevents the deletion of their data key", async () => {
    const referencing = await namesOf(`
      select conrelid::regclass || '.' || regexp_replace(attname, '_under$', '') as name
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[2]
      where contype = 'f' and confrelid = 'tenant_data_keys'::regclass and attgenerated = 's'
      order by 1
    `);

    expect(referencing).toEqual(await inDatabase());
  });

  it("include the whole primary key, so that an update changes one row", async () => {
    for (const { table, column, names } of sealedColumns) {
      const primary = await namesOf(`
        select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
        where indrelid = '${snakeCase(table)}'::regclass and indisprimary
      `);
      const named = ["tenant_id", ...names.map(snakeCase)];

      const missing = primary.filter((name) => !named.includes(name));
      expect([table, column, missing]).toEqual([table, column, []]);
    }
  });
});
