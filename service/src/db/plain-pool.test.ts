import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceDatabase, type TestDatabase } from "../../test/database.ts";
import { openPlainPool } from "./database.ts";

describe("openPlainPool", () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof openPlainPool>;

  beforeAll(async () => {
    database = await createServiceDatabase();
    pool = openPool();
  });

  function openPool() {
    return openPlainPool({
      url: database.serviceUrl,
      connectionsMax: 1,
      idleTransactionTimeoutMs: 5_000,
      onError: () => {},
    });
  }

  /** Returns the prepared statements of the pool's connection, with the number of times that each was executed. */
  async function preparedStatements(of: typeof pool) {
    const client = await of.connect();
    const { rows } = await client
      .query("select statement, generic_plans + custom_plans as uses from pg_prepared_statements")
      .finally(() => client.release());
    return rows;
  }

  afterAll(async () => {
    await pool.end();
  });

  it("prepares a statement with values once and returns the same rows as without preparing", async () => {
    const double = "select 2 * $1::integer as doubled";
    for (const number of [1, 2, 3]) {
      const { rows } = await pool.query(double, [number]);
      expect(rows).toEqual([{ doubled: 2 * number }]);
    }
    expect(await preparedStatements(pool)).toEqual([{ statement: double, uses: "3" }]);
  });

  it("prepares at most 400 different statements per connection, whatever other pools have prepared", async () => {
    const [full, other] = [openPool(), openPool()];
    for (let number = 0; number < 402; number += 1) {
      await full.query(`select $1::integer + ${number}`, [1]);
    }
    const text = "select $1::integer + 402";
    await other.query(text, [1]);

    expect(await preparedStatements(full)).toHaveLength(400);
    expect(await preparedStatements(other)).toEqual([{ statement: text, uses: "1" }]);
    await Promise.all([full.end(), other.end()]);
  });

  it("does not prepare a message of several statements or a query object, and survives a failing statement", async () => {
    await pool.query("begin; select 1; commit");
    const failing = pool.query("select $1::integer / 0", [1]);
    await expect(failing).rejects.toThrow("division by zero");
    const { rows } = await pool.query({ text: "select $1::text as said", values: ["unchanged"] });
    expect(rows).toEqual([{ said: "unchanged" }]);
  });
});
