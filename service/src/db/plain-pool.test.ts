import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceDatabase, type TestDatabase } from "../../test/database.ts";
import { openPlainPool } from "./database.ts";

describe("openPlainPool", () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof openPlainPool>;

  beforeAll(async () => {
    database = await createServiceDatabase();
    pool = openPlainPool({
      url: database.serviceUrl,
      connectionsMax: 1,
      idleTransactionTimeoutMs: 5_000,
      onError: () => {},
    });
  });

  afterAll(async () => {
    await pool.end();
  });

  it("prepares a statement with values once and returns the same rows as without preparing", async () => {
    const double = "select 2 * $1::integer as doubled";
    for (const number of [1, 2, 3]) {
      const { rows } = await pool.query(double, [number]);
      expect(rows).toEqual([{ doubled: 2 * number }]);
    }
    const client = await pool.connect();
    const prepared = await client
      .query("select statement, generic_plans + custom_plans as uses from pg_prepared_statements")
      .finally(() => client.release());
    expect(prepared.rows).toEqual([{ statement: double, uses: "3" }]);
  });

  it("does not prepare a message of several statements or a query object, and survives a failing statement", async () => {
    await pool.query("begin; select 1; commit");
    const failing = pool.query("select $1::integer / 0", [1]);
    await expect(failing).rejects.toThrow("division by zero");
    const { rows } = await pool.query({ text: "select $1::text as said", values: ["unchanged"] });
    expect(rows).toEqual([{ said: "unchanged" }]);
  });
});
