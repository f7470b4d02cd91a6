import { type Sandbox, startSandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import type { VendorOptions } from "@purser/simulators/sandbox/vendors.ts";
import { everyVendorAt } from "../../src/config/vendors.ts";
import { type Clock, systemClock } from "../../src/foundation/clock.ts";
import { vendorNamesOf, vendors } from "../../src/foundation/vendors.ts";
import { createTestDatabase } from "../database.ts";

export interface TestSandbox extends Sandbox {
  /** The URL of the simulators' database. */
  readonly databaseUrl: string;
}

/** Starts the vendor simulators with a new database. */
export async function startTestSandbox(
  publicUrl: string,
  clock: Clock = systemClock,
  { sendWebhook, rpcUrlOf }: Pick<VendorOptions, "sendWebhook" | "rpcUrlOf"> = {},
): Promise<TestSandbox> {
  const database = await createTestDatabase();
  const sandbox = await startSandbox({
    databaseUrl: database.url,
    neonAdminUrl: database.url,
    host: "127.0.0.1",
    redirectUris: [`${publicUrl}/api/v1/svc/projects/webhooks/oauth-callback`],
    loginRedirectUris: vendorNamesOf("identity").map((name) => `${publicUrl}/login/${name}/return`),
    ...(sendWebhook && { sendWebhook }),
    ...(rpcUrlOf && { rpcUrlOf }),
    supabaseReadyAfterMs: 200,
    // The expiry of signatures, codes and ID tokens depends on the test's clock. Supabase projects become ready in real
    // time.
    serviceClock: clock,
  });
  return { ...sandbox, databaseUrl: database.url };
}

/**
 * Returns the server's environment variables for this sandbox. Without a sandbox, connections to vendors are refused.
 */
export function vendorEnvironment(sandbox: TestSandbox | undefined) {
  return { ...TIMEOUTS, ...(sandbox?.environment ?? UNREACHABLE_VENDORS) };
}

/** Short timeouts keep the tests for unresponsive vendors fast. */
const TIMEOUTS = {
  PURSER_PROVIDER_TIMEOUT_MS: "1500",
  PURSER_KEY_CHECK_TIMEOUT_MS: "1500",
  // The Google simulator generates RSA keys during a request, which can take a second on a busy machine.
  PURSER_LOGIN_TIMEOUT_MS: "3000",
  SUPABASE_POLL_MS: "50",
};

const UNREACHABLE_VENDORS = {
  ...everyVendorAt("http://127.0.0.1:9"),
  ...Object.fromEntries(
    vendors
      .flatMap(({ app = [] }) => app)
      .flatMap((prefix) => [
        [`${prefix}_CLIENT_ID`, "none"],
        [`${prefix}_CLIENT_SECRET`, "none"],
      ]),
  ),
};
