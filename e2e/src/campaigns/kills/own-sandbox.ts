import { withAdminClient } from "@purser/embedded-postgres";
import { type Sandbox, type SandboxOptions, startSandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import type { OwnPostgres } from "../../own-postgres.ts";
import { PUBLIC_URL } from "../../vendor-environment.ts";

const DATABASE = "vendors";

/** Starts the simulators in this process, with a database of their own. */
export async function startOwnSandbox(
  { superuserUrl }: Pick<OwnPostgres, "superuserUrl">,
  options: Pick<SandboxOptions, "chooseOutcome" | "sendWebhook">,
): Promise<Sandbox> {
  const urlOf = (database: string) => Object.assign(new URL(superuserUrl), { pathname: database });
  const server = { url: (database: string) => String(urlOf(database)) };
  await withAdminClient(server, "postgres", async (client) => {
    await client.query(`create database ${DATABASE}`);
  });
  return startSandbox({
    databaseUrl: server.url(DATABASE),
    neonAdminUrl: server.url(DATABASE),
    host: "127.0.0.1",
    redirectUris: [`${PUBLIC_URL}/api/v1/svc/projects/webhooks/oauth-callback`],
    supabaseReadyAfterMs: 300,
    ...options,
  });
}

/** Returns the number of requests that violate a vendor's API description. */
export async function countInvalidRequests({ url }: Sandbox, vendors: readonly string[]): Promise<number> {
  const counts = await Promise.all(
    vendors.map(async (vendor) => {
      const response = await fetch(`${url}/api/vendors/${vendor}`);
      const { invalid_requests: invalid } = Object(await response.json());
      return Number(invalid);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
