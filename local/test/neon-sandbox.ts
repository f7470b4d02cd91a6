import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createNeonProvider } from "@purser/service/adapters/service-provider/neon/neon-provider.ts";
import type { ProviderAccess } from "@purser/service/ports/service-provider.ts";
import { Client } from "pg";

/** Returns the ports of a data folder's servers, by server name. */
export async function portsOf(dataDir: string): Promise<Readonly<Record<string, number>>> {
  return JSON.parse(await readFile(join(dataDir, "ports.json"), "utf8"));
}

/**
 * Connects the service's Neon adapter to the data folder's Neon simulator. Returns the adapter, and the credentials of
 * a Neon account that the service does not use.
 */
export async function openNeon(dataDir: string) {
  const { neon: port } = await portsOf(dataDir);
  const neon = createNeonProvider({ apiUrl: `http://127.0.0.1:${port}/api/v2` });
  const accessToken = "sandbox-alice";
  const { accountId } = await neon.identify(accessToken);
  const access: ProviderAccess = { accessToken, accountId };
  return {
    neon,
    access,
    envOf: (resourceId: string) => neon.readEnv(access, { resourceId, config: {}, password: "unused" }),
  };
}

export async function currentUser(databaseUrl: string): Promise<unknown> {
  const client = new Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const { rows } = await client.query("select current_user as name");
    return rows[0]?.name;
  } finally {
    await client.end();
  }
}
