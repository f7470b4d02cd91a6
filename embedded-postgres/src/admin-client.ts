import { Client } from "pg";

/** Runs `work` with a superuser connection to one database, and returns its result. Closes the connection afterwards. */
export async function withAdminClient<T>(
  server: { url(database: string): string },
  database: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: server.url(database),
    connectionTimeoutMillis: 5_000,
  });
  // If the connection drops between two queries, pg emits an error, which would end the process if it had no listener.
  // The next query fails in any case.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
