import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createServiceDatabase, type TestDatabase } from "../../test/database.ts";
import { openPlainPool } from "./database.ts";

describe("openPlainPool", () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createServiceDatabase();
  });

  function openPool() {
    const pool = openPlainPool({
      url: database.serviceUrl,
      connectionsMax: 1,
      idleTransactionTimeoutMs: 5_000,
      onError: () => {},
    });
    onTestFinished(() => pool.end());
    return pool;
  }

  /** Returns the prepared statements of the pool's connection, with the number of times that each was executed. */
  async function preparedStatements(pool: ReturnType<typeof openPool>) {
    const { rows } = await pool.query(
      "select statement, generic_plans + custom_plans as uses from pg_prepared_statements",
    );
    return rows;
  }

  it("prepares a statement with values once and returns the same rows as without preparing", async () => {
    const pool = openPool();
    const double = "select 2 * $1::integer as doubled";
    for (const number of [1, 2, 3]) {
      const { rows } = await pool.query(double, [number]);
      expect(rows).toEqual([{ doubled: 2 * number }]);
    }
    expect(await preparedStatements(pool)).toEqual([{ statement: double, uses: "3" }]);
  });

  it("prepares at most 400 different statements per connection, whatever other pools have prepared", async () => {
    const [full, other] = [openPool(), openPool()];
    for (let number = 0; number < 401; number += 1) {
      await full.query(`select $1::integer + ${number}`, [1]);
    }
    await other.query("select $1::integer", [1]);

    expect(await preparedStatements(full)).toHaveLength(400);
    expect(await preparedStatements(other)).toEqual([{ statement: "select $1::integer", uses: "1" }]);
  });

  it("does not prepare a message of several statements or a query object, and survives a failing statement", async () => {
    const pool = openPool();
    await pool.query("begin; select 1; commit");
    const failing = pool.query("select $1::integer / 0", [1]);
    await expect(failing).rejects.toThrow("division by zero");
    const { rows } = await pool.query({ text: "select $1::text as said", values: ["unchanged"] });
    expect(rows).toEqual([{ said: "unchanged" }]);
  });
});
