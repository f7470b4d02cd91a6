import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";
import { type Db, openDatabase } from "../src/db/database.ts";
import { TEMPLATE } from "./global-setup.ts";

export interface TestDatabase {
  /** URL for connections as the database's owner. */
  readonly ownerUrl: string;
  /** URL for connections as the server's role, which is subject to row-level security. */
  readonly serviceUrl: string;
  /** URL for connections as the role that can read personal data. */
  readonly piiUrl: string;
  /** URL for connections as a superuser, for tests that read or change data of all tenants. */
  readonly superuserUrl: string;
}

/**
 * Creates a migrated database for a test file. The database is not dropped afterwards, because each drop forces a
 * PostgreSQL checkpoint. The whole PostgreSQL server is deleted at the end of the test run.
 */
export async function createServiceDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${TEMPLATE}`);
}

/** Creates an empty database for a test file. */
export async function createTestDatabase(): Promise<{ url: string }> {
  const { ownerUrl } = await createDatabase("");
  return { url: ownerUrl };
}

async function createDatabase(from: string): Promise<TestDatabase> {
  const { ownerUrl, serviceUrl, piiUrl, superuserUrl } = inject("postgres");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await run(`${superuserUrl}postgres`, `create database ${name} owner test_owner ${from}`);
  return {
    ownerUrl: ownerUrl + name,
    serviceUrl: serviceUrl + name,
    piiUrl: piiUrl + name,
    superuserUrl: superuserUrl + name,
  };
}

/** Opens the database as the server does. */
export function openServiceDatabase({ serviceUrl }: TestDatabase): Db {
  return openDatabase({
    url: serviceUrl,
    connectionsMax: { requests: 4, authentication: 1, jobs: 1 },
    statementTimeoutMs: 20_000,
    readTimeoutMs: 10_000,
    connectTimeoutMs: 5_000,
    onError: () => {},
  });
}

/** Runs one statement on a new connection. */
export async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  await client.query(statement);
  await client.end();
}
