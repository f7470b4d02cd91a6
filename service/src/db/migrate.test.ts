import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { cp, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { Client } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, run } from "../../test/database.ts";
import { type ApiResponse, useHarness } from "../../test/harness.ts";
import { migrate, missingMigrations, OldSchemaError, TableLockedError } from "./migrate.ts";

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

    await expect(migrate({ ownerUrl: database.url })).rejects.toMatchObject({
      message: "0003_keys.sql was not applied.",
      cause: { message: expect.stringContaining("not_the_third") },
    });

    const left = await tables();
    expect(left).toContain("developers");
    expect(left).not.toContain("api_keys");
    const missing = await missingMigrations(select);
    expect(missing[0]).toBe("0003_keys.sql");
    await run(database.url, "alter table schema_migrations drop constraint not_the_third");
    expect(await migrate({ ownerUrl: database.url })).toEqual(missing);
    expect(await tables()).toContain("api_keys");
  });

  it("refuses a database with the schema of an earlier version, and changes nothing in it", async () => {
    await run(
      database.url,
      `create table schema_migrations (name text primary key, applied_at timestamptz not null default now());
      insert into schema_migrations (name) values ('0001_developers.sql'), ('0002_audit_and_outbox.sql')`,
    );

    await expect(migrate({ ownerUrl: database.url })).rejects.toThrow(OldSchemaError);
    const { status, stderr, stdout } = await migrateByCommand(database.url);

    expect({ status, stderr, stdout }).toEqual({
      status: 1,
      stderr:
        "An earlier version of Purser created this database, and this version cannot migrate it: use an empty one.\n",
      stdout: "",
    });
    expect(await tables()).toEqual(["schema_migrations"]);
    expect(await select("select name from schema_migrations order by name")).toEqual([
      { name: "0001_developers.sql" },
      { name: "0002_audit_and_outbox.sql" },
    ]);
  });
});

/** Runs `npm run migrate`, and returns its exit status and what it prints. */
async function migrateByCommand(ownerUrl: string) {
  const script = join(import.meta.dirname, "../bin/migrate.ts");
  const child = spawn(process.execPath, [script], { env: { ...process.env, DATABASE_OWNER_URL: ownerUrl } });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number]>,
  ]);
  return { status, stdout, stderr };
}

/** Returns a copy of the folder of migrations with further files. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<URL> {
  const folder = pathToFileURL(join(await mkdtemp(join(tmpdir(), "purser-migrations-")), "/"));
  await cp(new URL("migrations/", import.meta.url), folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(new URL(file, folder), text);
  return folder;
}

describe("a migration of the next version", () => {
  const harness = useHarness();

  /** Opens a transaction that reads projects, and so holds a lock that `alter table` waits for. */
  async function openLongTransaction() {
    const client = new Client({ connectionString: harness.database.superuserUrl });
    await client.connect();
    await client.query("begin; select count(*) from projects");
    return client;
  }

  it("does not keep requests waiting for longer than two seconds behind another transaction, and is applied after it", async () => {
    const { ownerUrl } = harness.database;
    const tenant = await harness.seedTenant();
    const folder = await folderWith({ "9997_reviews.sql": "alter table projects add column review text;" });
    const long = await openLongTransaction();
    const migrating = migrate({ ownerUrl, folder });
    let slowestMs = 0;
    for (const endMs = performance.now() + 4_500; performance.now() < endMs; ) {
      const startedMs = performance.now();
      expect((await tenant.post("/projects", { name: randomUUID() })).status).toBe(201);
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    }
    await long.query("commit");
    await long.end();

    expect(await migrating).toEqual(["9997_reviews.sql"]);
    // Some request has waited: the migration did meet the lock.
    expect(slowestMs).toBeGreaterThan(1_000);
    expect(slowestMs).toBeLessThan(3_000);
  });

  it("fails, and leaves nothing, if another transaction never ends", async () => {
    const { ownerUrl } = harness.database;
    const folder = await folderWith({ "9998_labels.sql": "alter table projects add column label text;" });
    const long = await openLongTransaction();

    await expect(migrate({ ownerUrl, folder, lockAttemptsMax: 1 })).rejects.toThrow(TableLockedError);

    await long.end();
    expect(await migrate({ ownerUrl, folder })).toEqual(["9998_labels.sql"]);
  });

  it("creates an index without a transaction, and so without blocking writes, also after an attempt that was killed", async () => {
    const file = "9996_projects_by_slug.concurrently.sql";
    const text = "create index concurrently projects_by_slug on projects (tenant_id, slug);";
    const folder = await folderWith({ [file]: text });
    // One that was killed before it was recorded has left its index.
    await run(harness.database.ownerUrl, text);

    expect(await migrate({ ownerUrl: harness.database.ownerUrl, folder })).toEqual([file]);
  });

  it("runs while this version serves: each request succeeds, or gets 503 once and succeeds when it is repeated", async () => {
    const tenant = await harness.seedTenant();
    const folder = await folderWith({
      "9999_notes.sql": `alter table projects add column note text;
      create table project_notes (tenant_id text not null, note_id text not null, primary key (tenant_id, note_id));
      call purser_protect(false, 'project_notes');`,
    });
    const migrating = { isOver: false };
    const send = async (request: () => Promise<ApiResponse>) => {
      const response = await request();
      return response.status === 503 ? request() : response;
    };
    const serve = async (): Promise<number[]> => {
      const statuses: number[] = [];
      for (let count = 0; count < 5 || !migrating.isOver; count += 1) {
        const { status, body } = await send(() => tenant.post("/projects", { name: randomUUID() }));
        statuses.push(status, (await send(() => tenant.get(`/projects/${body.project_id}`))).status);
      }
      return statuses;
    };

    const [during, applied] = await Promise.all([
      serve(),
      migrate({ ownerUrl: harness.database.ownerUrl, folder }).finally(() => {
        migrating.isOver = true;
      }),
    ]);
    const after = await serve();

    expect(applied).toEqual(["9999_notes.sql"]);
    expect(new Set([...during, ...after])).toEqual(new Set([201, 200]));
    expect((await harness.send({ method: "GET", url: "/readyz" })).status).toBe(200);
  });
});
