import { Client } from "pg";

/**
 * Connects to one database as the superuser, hands the connection to the work, and closes it whatever happens.
 * Answers with the work's answer; throws what the connection or the work throws.
 */
export async function withAdminClient<T>(
  server: { url(database: string): string },
  database: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: server.url(database),
    connectionTimeoutMillis: 5_000,
  });
  // A server that goes away between two queries is reported here, and without a listener ends the process.
  // The next query fails by itself, so there is nothing to do.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
