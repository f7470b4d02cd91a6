import { Client } from "pg";

/** Throws if the login or the query fails. */
export async function selectOne(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    await client.query("select 1");
  } finally {
    await client.end();
  }
}

/** Returns the error message of a rejected login, without the user name. Throws if the database accepts the login. */
export async function expectLoginRejected(databaseUrl: string): Promise<string> {
  const failure = await selectOne(databaseUrl).catch((error: unknown) => error);
  if (failure instanceof Error) return failure.message.replaceAll(/ for user ".*"/g, "");
  throw new Error("The database still accepts the login of a removed service.");
}
