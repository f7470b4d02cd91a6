import { Client } from "pg";

/** Asks a database something, as a program does that was given its address. */
export async function selectOne(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    await client.query("select 1");
  } finally {
    await client.end();
  }
}

/** Throws unless the database refuses who asks, and answers in which words. */
export async function expectRefusal(databaseUrl: string): Promise<string> {
  const failure = await selectOne(databaseUrl).catch((error: unknown) => error);
  if (failure instanceof Error) return failure.message.replaceAll(/ for user ".*"/g, "");
  throw new Error("The database still lets in whom it should not know any longer.");
}
