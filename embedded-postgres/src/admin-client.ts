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
  // pg emits an error if the connection drops between two queries. Without a listener, the error would end the process.
  // The error can be ignored, because the next query fails in any case.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
