import { Client } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, run } from "../../test/database.ts";
import { migrate, missingMigrations } from "./migrate.ts";

describe("migrate", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

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

  it("applies every file once, in order, and applies nothing the second time", async () => {
    const applied = await migrate({ ownerUrl: database.url });

    expect(applied.length).toBeGreaterThan(2);
    expect(applied).toEqual(applied.toSorted());
    expect(await migrate({ ownerUrl: database.url })).toEqual([]);
    expect(await missingMigrations(select)).toEqual([]);
  });

  it("if four processes migrate at the same time, one applies all files and the others none", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => migrate({ ownerUrl: database.url })),
    );

    const lengths = outcomes.map(({ length }) => length).sort();
    expect(lengths.slice(0, 3)).toEqual([0, 0, 0]);
    expect(lengths[3]).toBeGreaterThan(2);
  });

  it("a file that fails is rolled back and is applied completely the next time", async () => {
    // Makes the third migration fail at its last step, which records the name of the file.
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

  it("0006: copies the signups of unverified accounts to account_claims, and sets proven_at for verified accounts without a password", async () => {
    await run(
      database.url,
      `create table schema_migrations (
        name text primary key constraint before_claims check (name < '0006'),
        applied_at timestamptz not null default now()
      )`,
    );
    await expect(migrate({ ownerUrl: database.url })).rejects.toThrow("before_claims");
    const seeds = [
      { id: "dev_waiting", verified: "null", password: true, identity: false },
      { id: "dev_password", verified: "now()", password: true, identity: true },
      { id: "dev_provider", verified: "now()", password: false, identity: true },
    ];
    for (const { id, verified, password, identity } of seeds) {
      await run(
        database.url,
        `set purser.tenant_id = '${id}';
        insert into developers (tenant_id, email, name, status, email_verified_at, created_at, updated_at)
          values ('${id}', '${id}@example.com', 'Ada', 'active', ${verified}, now(), now());
        insert into developer_passwords select '${id}', 'hash of ${id}', now() where ${password};
        insert into developer_identities select '${id}', 'github', '${id}', 'x', now(), now() where ${identity};
        insert into email_tokens (token_hash, tenant_id, purpose, email, expires_at, created_at)
          select purpose || ' ${id}', '${id}', purpose, 'x', now(), now()
          from unnest(array['verify_email', 'reset_password']) purpose`,
      );
    }
    await run(database.url, "alter table schema_migrations drop constraint before_claims");

    await migrate({ ownerUrl: database.url });

    expect(
      await select(
        "select tenant_id, proven_at is not null as proven from developers order by tenant_id",
      ),
    ).toEqual([
      { tenant_id: "dev_password", proven: false },
      { tenant_id: "dev_provider", proven: true },
      { tenant_id: "dev_waiting", proven: false },
    ]);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query("set purser.tenant_id = 'dev_waiting'");
    const { rows } = await client.query(
      "select claim_number, password_hash, name, token_hash from account_claims join email_tokens using (tenant_id, claim_number)",
    );
    await client.end();
    expect(rows).toEqual([
      {
        claim_number: 1,
        password_hash: "hash of dev_waiting",
        name: "Ada",
        token_hash: "verify_email dev_waiting",
      },
    ]);
    expect(
      await select("select distinct tenant_id from email_tokens where claim_number is not null"),
    ).toEqual([{ tenant_id: "dev_waiting" }]);
  });
});
