import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createServiceDatabase } from "../../test/database.ts";
import { withRoundTrips } from "../../test/round-trips.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import { compileOnce } from "./compile-once.ts";
import { type Db, openDatabase, type Tx } from "./database.ts";
import { isUniqueViolation } from "./errors.ts";
import { THEN_COMMIT, WITH_NEXT } from "./round-trips.ts";
import { withTransaction } from "./transaction.ts";

type Marker = "" | typeof WITH_NEXT | typeof THEN_COMMIT;

/** Returns a query that inserts the row of a tenant. A second row of the tenant violates the primary key. */
const insertMarked = (marker: Marker) =>
  compileOnce(
    (tx, { tenantId }: { tenantId: TenantId }) =>
      tx.insertInto("auditHeads").values({ tenantId, chain: "tenant", sequence: 0, hash: "" }),
    { marker },
  );

describe("statements that are sent together", () => {
  const [insert, insertWithNext, insertThenCommit] = [
    insertMarked(""),
    insertMarked(WITH_NEXT),
    insertMarked(THEN_COMMIT),
  ];
  let db: Db;
  let row: { tenantId: TenantId };

  beforeAll(async () => {
    const { serviceUrl } = await createServiceDatabase();
    db = openDatabase({
      url: serviceUrl,
      connectionsMax: { requests: 1, authentication: 1, jobs: 1 },
      statementTimeoutMs: 20_000,
      readTimeoutMs: 10_000,
      connectTimeoutMs: 5_000,
      onError: () => {},
    });
  });
  beforeEach(() => {
    row = { tenantId: newId("dev") };
  });
  afterAll(() => db.destroy());

  /** Returns the round trips of a transaction, its error, and the number of rows that it left. */
  async function run(work: (tx: Tx) => Promise<unknown>) {
    const { result: error, roundTrips } = await withRoundTrips(() =>
      withTransaction(db, row.tenantId, work).then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
    );
    return { error, roundTrips, rows: (await list(db)).length };
  }

  const list = (from: Db) =>
    from.selectFrom("auditHeads").select("hash").where("tenantId", "=", row.tenantId).execute();
  const isDuplicate = (error: unknown) => isUniqueViolation(error, "audit_heads_pkey");

  it("begin and the tenant are sent with the first statement", async () => {
    const inserted = await run((tx) => insert(tx, row));

    expect(inserted).toMatchObject({ rows: 1, roundTrips: ["begin select insert", "commit"] });
    expect(await run(async () => {})).toMatchObject({ roundTrips: [] });
  });

  it("a value that cannot be converted fails, and the transaction is still open", async () => {
    const { roundTrips, rows } = await run(async (tx) => {
      const circular: object[] = [];
      circular.push({ circular });
      const broken = tx.selectNoFrom((one) => one.val({ circular }).as("value")).execute();
      await expect(broken).rejects.toThrow("circular");
      await insert(tx, row);
    });

    expect([roundTrips, rows]).toEqual([["begin select insert", "commit"], 1]);
  });

  it("begin fails with the first statement: nothing is written, and the connection can be used again", async () => {
    await run((tx) => insert(tx, row));

    const { error, roundTrips } = await run((tx) => insert(tx, row));

    expect([isDuplicate(error), roundTrips]).toEqual([true, ["begin select insert", "rollback"]]);
    expect((await run((tx) => list(tx))).error).toBeUndefined();
  });

  it("WITH_NEXT: is sent with the next statement, which sees its rows; or with the commit", async () => {
    let seen: unknown[] = [];
    const { roundTrips } = await run(async (tx) => {
      await insertWithNext(tx, row);
      seen = await list(tx);
    });
    expect([roundTrips, seen.length]).toEqual([["begin select insert select", "commit"], 1]);

    row = { tenantId: newId("dev") };
    const last = await run((tx) => insertWithNext(tx, row));
    expect(last).toMatchObject({ rows: 1, roundTrips: ["begin select insert commit"] });
  });

  it("WITH_NEXT: fails the next statement, and the transaction", async () => {
    const { error, rows } = await run(async (tx) => {
      await insert(tx, row);
      await insertWithNext(tx, row);
      await list(tx);
    });

    expect([isDuplicate(error), rows]).toEqual([true, 0]);
  });

  it("WITH_NEXT: fails the commit, and the transaction; the connection can be used again", async () => {
    await run((tx) => insert(tx, row));

    const { error, roundTrips } = await run((tx) => insertWithNext(tx, row));

    expect(isDuplicate(error)).toBe(true);
    expect(roundTrips).toEqual(["begin select insert commit", "rollback"]);
    expect(await list(db)).toHaveLength(1);
  });

  it("WITH_NEXT: the same statement twice, on a connection that has not prepared it", async () => {
    const count = compileOnce(
      (tx, { tenantId }: { tenantId: TenantId }) =>
        tx.selectFrom("auditHeads").select("sequence").where("tenantId", "=", tenantId),
      { marker: WITH_NEXT },
    );
    const { error } = await run(async (tx) => {
      await count(tx, row);
      await count(tx, row);
    });

    expect(error).toBeUndefined();
  });

  it("WITH_NEXT: is not executed if the transaction fails before its next statement", async () => {
    const { error, roundTrips, rows } = await run(async (tx) => {
      await list(tx);
      await insertWithNext(tx, row);
      throw new Error("failed");
    });

    expect(error).toMatchObject({ message: "failed" });
    expect([roundTrips, rows]).toEqual([["begin select select", "rollback"], 0]);
  });

  it("THEN_COMMIT: is sent with the commit; a statement after it is an error", async () => {
    const committed = await run(async (tx) => {
      await list(tx);
      await insertThenCommit(tx, row);
    });
    const trips = ["begin select select", "insert commit"];
    expect(committed).toMatchObject({ error: undefined, rows: 1, roundTrips: trips });

    row = { tenantId: newId("dev") };
    const { error, rows } = await run(async (tx) => {
      await insertThenCommit(tx, row);
      await list(tx);
    });
    expect([String(error), rows]).toEqual([expect.stringContaining("nothing follows"), 1]);
  });

  it.each([insertWithNext, insertThenCommit])(
    "throws if a marked statement is sent outside a transaction",
    async (query) => {
      await expect(query(db, row)).rejects.toThrow("in a transaction");
    },
  );

  it("THEN_COMMIT: a failure rolls back the transaction", async () => {
    const { error, roundTrips, rows } = await run(async (tx) => {
      await insert(tx, row);
      await insertThenCommit(tx, row);
    });

    expect([isDuplicate(error), rows]).toEqual([true, 0]);
    expect(roundTrips).toEqual(["begin select insert", "insert commit", "rollback"]);
  });
});
