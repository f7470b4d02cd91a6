import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import { expect, it } from "vitest";
import { createServiceDatabase } from "../../test/database.ts";
import { generateSchemaTypes } from "../../test/db/schema-types.ts";
import type { Schema } from "./schema.ts";

it("schema.generated.ts has the tables that the migrations make; `npm test -- service/src/db/schema.test.ts -u` writes it", async () => {
  const { ownerUrl } = await createServiceDatabase();
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query(`
    select table_name as "table", column_name as "column", data_type as "type",
      column_default is not null as "hasDefault", is_generated = 'ALWAYS' as "isComputed"
    from information_schema.columns
    where table_schema = 'public'`);
  await client.end();
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: ownerUrl }) }) });

  const types = await generateSchemaTypes(db, rows);
  await db.destroy();

  expect(rows.length).toBeGreaterThan(700);
  await expect(types).toMatchFileSnapshot("schema.generated.ts");
});
