import type { CaptchaVendors } from "@purser/simulators/sandbox/captcha-vendors.ts";
import type { KeyVendors } from "@purser/simulators/sandbox/key-vendors.ts";
import type { LoginVendors } from "@purser/simulators/sandbox/login-vendors.ts";
import { sandboxEnvironment } from "@purser/simulators/sandbox/sandbox-environment.ts";
import { type Sandbox, startSandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { everyVendorAt } from "../src/config/vendors.ts";
import { type Clock, systemClock } from "../src/foundation/clock.ts";
import { createTestDatabase } from "./database.ts";

export type TestSandbox = Pick<
  Sandbox,
  | "url"
  | "neon"
  | "supabase"
  | "stripe"
  | keyof LoginVendors
  | keyof KeyVendors
  | keyof CaptchaVendors
  | "force"
  | "objects"
  | "requests"
  | "close"
>;

/** The vendors' simulators over a database of their own. */
export async function startTestSandbox(
  publicUrl: string,
  clock: Clock = systemClock,
): Promise<TestSandbox> {
  const database = await createTestDatabase();
  return startSandbox({
    databaseUrl: database.url,
    neonAdminUrl: database.url,
    host: "127.0.0.1",
    redirectUris: [`${publicUrl}/api/v1/svc/projects/webhooks/oauth-callback`],
    loginRedirectUris: [`${publicUrl}/login/github/return`, `${publicUrl}/login/google/return`],
    supabaseReadyAfterMs: 200,
    // Projects come up by the real one.
    serviceClock: clock,
  });
}

/** The service's environment variables for the vendors of this sandbox. Without one, calls to vendors are refused. */
export function vendorEnvironment(sandbox: TestSandbox | undefined) {
  const vendors = sandbox ? sandboxEnvironment(sandbox) : UNREACHABLE_VENDORS;
  return { ...TIMEOUTS, ...vendors };
}

/** Short, so that tests of a missing answer are fast. */
const TIMEOUTS = {
  PURSER_PROVIDER_TIMEOUT_MS: "500",
  PURSER_KEY_CHECK_TIMEOUT_MS: "500",
  // The sandbox's Google makes RSA keys while it is asked, which takes a busy machine a second.
  PURSER_LOGIN_TIMEOUT_MS: "3000",
  SUPABASE_POLL_MS: "50",
};

const UNREACHABLE_VENDORS = {
  ...everyVendorAt("http://127.0.0.1:9"),
  SUPABASE_CLIENT_ID: "none",
  SUPABASE_CLIENT_SECRET: "none",
  GITHUB_CLIENT_ID: "none",
  GITHUB_CLIENT_SECRET: "none",
  GOOGLE_CLIENT_ID: "none",
  GOOGLE_CLIENT_SECRET: "none",
};
