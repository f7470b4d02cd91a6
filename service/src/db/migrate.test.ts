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
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => migrate({ ownerUrl: database.url })));

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
      await select("select tenant_id, proven_at is not null as proven from developers order by tenant_id"),
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
    expect(await select("select distinct tenant_id from email_tokens where claim_number is not null")).toEqual([
      { tenant_id: "dev_waiting" },
    ]);
  });

  it("0011: turns waiting messages, and messages of processes of the version before, into events with the next numbers", async () => {
    await run(
      database.url,
      `create table schema_migrations (
        name text primary key constraint before_events check (name < '0011'),
        applied_at timestamptz not null default now()
      )`,
    );
    await expect(migrate({ ownerUrl: database.url })).rejects.toThrow("before_events");
    /** Enqueues an event as the version before does. */
    const enqueue = (tenantId: string, id: string, [type, subject]: readonly [string, string]) =>
      run(
        database.url,
        `set purser.tenant_id = '${tenantId}';
        insert into outbox_messages (tenant_id, message_id, topic, mode, payload, due_at, created_at)
          values ('${tenantId}', '${id}', 'event', 'test', '${JSON.stringify({
            type,
            subject: { type: "project", id: subject },
            data: null,
            actor: { type: "system" },
            request_id: "req_1",
          })}', now(), '2026-01-01T00:00:00Z')`,
      );
    const CHANGE = ["project.updated", "proj_1"] as const;
    await run(
      database.url,
      `set purser.tenant_id = 'dev_a';
      insert into events
        select 'dev_a', 'evt_0' || sequence, 'live', 'project.updated', 'project', 'proj_1', sequence, '{}', '{}', null, now()
        from unnest(array[6, 7]) sequence;
      insert into outbox_messages (tenant_id, message_id, topic, mode, payload, due_at, created_at)
        values ('dev_a', 'mail_1', 'mail', 'live', '{}', now(), now())`,
    );
    await enqueue("dev_a", "evt_12", CHANGE);
    await enqueue("dev_a", "evt_11", CHANGE);
    await enqueue("dev_a", "evt_13", ["env.pulled", "proj_1"]);
    await enqueue("dev_a", "evt_14", ["project.created", "proj_2"]);
    await enqueue("dev_b", "evt_15", CHANGE);
    await run(database.url, "alter table schema_migrations drop constraint before_events");

    await migrate({ ownerUrl: database.url });
    await enqueue("dev_a", "evt_21", CHANGE);
    await enqueue("dev_a", "evt_22", ["env.pulled", "proj_1"]);
    await enqueue("dev_b", "evt_23", CHANGE);

    expect(
      await select(
        "select tenant_id, event_id, subject_id, sequence from events order by tenant_id, xid, event_id",
      ).then((rows) => rows.map((row) => Object.values(row))),
    ).toEqual([
      ["dev_a", "evt_06", "proj_1", 6],
      ["dev_a", "evt_07", "proj_1", 7],
      ["dev_a", "evt_11", "proj_1", 8],
      ["dev_a", "evt_12", "proj_1", 9],
      ["dev_a", "evt_13", "proj_1", null],
      ["dev_a", "evt_14", "proj_2", 1],
      ["dev_a", "evt_21", "proj_1", 10],
      ["dev_a", "evt_22", "proj_1", null],
      ["dev_b", "evt_15", "proj_1", 1],
      ["dev_b", "evt_23", "proj_1", 2],
    ]);
    expect(
      await select(
        "select mode, type, subject_type, data, actor, request_id, occurred_at from events where event_id = 'evt_21'",
      ),
    ).toEqual([
      {
        mode: "test",
        type: "project.updated",
        subject_type: "project",
        data: null,
        actor: { type: "system" },
        request_id: "req_1",
        occurred_at: new Date("2026-01-01T00:00:00Z"),
      },
    ]);
    expect(await select("select message_id from outbox_messages")).toEqual([{ message_id: "mail_1" }]);
  });
});
