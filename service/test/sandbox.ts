import type { KeyVendors } from "@purser/simulators/sandbox/key-vendors.ts";
import type { LoginVendors } from "@purser/simulators/sandbox/login-vendors.ts";
import { type Sandbox, startSandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { createGitHubLogin } from "../src/adapters/github-login.ts";
import { createGoogleLogin } from "../src/adapters/google-login.ts";
import { createKeyVerifiers } from "../src/adapters/key-verifiers.ts";
import { createNeonProvider } from "../src/adapters/neon-provider.ts";
import { createStripeBilling } from "../src/adapters/stripe-billing.ts";
import { createSupabaseProvider } from "../src/adapters/supabase-provider.ts";
import type { App } from "../src/app.ts";
import { type Clock, systemClock } from "../src/foundation/clock.ts";
import { createTestDatabase } from "./database.ts";

/** Adapters wait this long for an answer, so that a test of one that never comes is short. */
const TIMEOUT_MS = 500;
/** The sandbox's Google makes RSA keys while it is asked, which takes a busy machine a second. */
const LOGIN_TIMEOUT_MS = 3_000;
const POLL_AFTER_MS = 50;
const NOBODY = "http://127.0.0.1:9";

export type TestSandbox = Pick<
  Sandbox,
  | "url"
  | "neon"
  | "supabase"
  | "stripe"
  | keyof LoginVendors
  | keyof KeyVendors
  | "force"
  | "objects"
  | "requests"
  | "close"
>;

/** The vendors' simulators over a database of their own, dropped with them. */
export async function startTestSandbox(
  publicUrl: string,
  clock: Clock = systemClock,
): Promise<TestSandbox> {
  const database = await createTestDatabase();
  const sandbox = await startSandbox({
    databaseUrl: database.url,
    neonAdminUrl: database.url,
    host: "127.0.0.1",
    redirectUris: [`${publicUrl}/api/v1/svc/projects/webhooks/oauth-callback`],
    loginRedirectUris: [`${publicUrl}/login/github/return`, `${publicUrl}/login/google/return`],
    supabaseReadyAfterMs: 200,
    // The service holds ID tokens against its own clock. Projects come up by the real one.
    loginClock: clock,
  });
  return {
    ...sandbox,
    close: async () => {
      await sandbox.close();
      await database.drop();
    },
  };
}

/** The real adapters, against the sandbox, or against an address where nobody listens. */
export function vendorsOf(
  sandbox: TestSandbox | undefined,
  clock: Clock,
): Pick<App, "providers" | "billing" | "identityProviders" | "providerKeyVerifiers"> {
  const timeoutMs = TIMEOUT_MS;
  const { clientId, clientSecret } = sandbox?.supabase ?? {
    clientId: "none",
    clientSecret: "none",
  };
  const providers = [
    createNeonProvider({ apiUrl: sandbox?.neon.url ?? NOBODY, timeoutMs }),
    createSupabaseProvider({
      apiUrl: sandbox?.supabase.url ?? NOBODY,
      app: { clientId, clientSecret },
      pollAfterMs: POLL_AFTER_MS,
      timeoutMs,
      clock,
    }),
  ];
  const billing = (secretKey: string | undefined) =>
    createStripeBilling({
      apiUrl: sandbox?.stripe.url ?? NOBODY,
      secretKey: secretKey ?? "none",
      timeoutMs,
    });
  return {
    identityProviders: identityProvidersOf(sandbox, clock),
    providerKeyVerifiers: keyVerifiersOf(sandbox),
    providers: new Map(providers.map((provider) => [provider.provider, provider])),
    billing: {
      live: billing(sandbox?.stripe.secretKeys.live),
      test: billing(sandbox?.stripe.secretKeys.test),
    },
  };
}

/** By the real time, in which the vendors live that are asked. */
function keyVerifiersOf(sandbox: TestSandbox | undefined): App["providerKeyVerifiers"] {
  const at = (url = NOBODY) => ({ live: url, test: url });
  return createKeyVerifiers({
    apiUrls: {
      pimlico: at(sandbox?.pimlico.url),
      turnkey: at(sandbox?.turnkey.url),
      fireblocks: at(sandbox?.fireblocks.url),
      bridge: at(sandbox?.bridge.url),
      helius: at(sandbox?.helius.url),
    },
    clock: systemClock,
    timeoutMs: TIMEOUT_MS,
  });
}

function identityProvidersOf(
  sandbox: TestSandbox | undefined,
  clock: Clock,
): App["identityProviders"] {
  const app = { clientId: "none", clientSecret: "none" };
  const { github, google } = sandbox ?? {
    github: { webUrl: NOBODY, apiUrl: NOBODY, ...app },
    google: { accountsUrl: NOBODY, tokenUrl: NOBODY, certsUrl: NOBODY, ...app },
  };
  return {
    github: createGitHubLogin({ ...github, timeoutMs: LOGIN_TIMEOUT_MS }),
    google: createGoogleLogin({ ...google, timeoutMs: LOGIN_TIMEOUT_MS, clock }),
  };
}
