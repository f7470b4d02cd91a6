import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";
import { TEMPLATE } from "./global-setup.ts";

export interface TestDatabase {
  /** As the database's owner. */
  readonly ownerUrl: string;
  /** As the role that the service runs under, which row-level security binds. */
  readonly serviceUrl: string;
  /** As the server's superuser, whom nothing binds: for tests that play an intruder. */
  readonly superuserUrl: string;
}

/** A migrated database of the test file's own. It goes with the run's whole server: dropping each would cost a checkpoint. */
export async function createServiceDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${TEMPLATE}`);
}

/** An empty database of the test file's own. */
export async function createTestDatabase(): Promise<{ url: string }> {
  const { ownerUrl } = await createDatabase("");
  return { url: ownerUrl };
}

async function createDatabase(from: string): Promise<TestDatabase> {
  const { ownerUrl, serviceUrl, superuserUrl } = inject("postgres");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await run(`${superuserUrl}postgres`, `create database ${name} owner test_owner ${from}`);
  return {
    ownerUrl: ownerUrl + name,
    serviceUrl: serviceUrl + name,
    superuserUrl: superuserUrl + name,
  };
}

/** Runs one statement over a connection of its own. */
export async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  await client.query(statement);
  await client.end();
}
