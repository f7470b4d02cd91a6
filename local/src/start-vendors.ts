import { startMailbox } from "@purser/simulators/mailbox/start-mailbox.ts";
import { type Sandbox, startSandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import type { LocalDatabases } from "./databases.ts";
import { type KeptPorts, portOf, portOrAny } from "./kept-ports.ts";
import type { Progress } from "./progress.ts";

const HOST = "127.0.0.1";

export interface LocalVendors {
  readonly mailbox: Pick<Awaited<ReturnType<typeof startMailbox>>, "url" | "smtpUrl">;
  readonly sandbox: Sandbox;
  /** Where they listen, but for PostgreSQL. */
  readonly ports: KeptPorts;
}

/** Starts everybody whom the service calls, each on the port that it had before where that is free. */
export async function startVendors({
  databases,
  oauthCallbackUrl,
  ports,
  progress,
  onStarted,
}: {
  readonly databases: LocalDatabases;
  /** The only address that consent pages send people back to. */
  readonly oauthCallbackUrl: string;
  readonly ports: KeptPorts;
  readonly progress: Progress;
  readonly onStarted: (stop: () => Promise<void>) => void;
}): Promise<LocalVendors> {
  const mailbox = await progress.step("mailbox", async () =>
    startMailbox({
      databaseUrl: databases.simulatorsUrl,
      host: HOST,
      smtpPort: 0,
      httpPort: await portOrAny(ports.mailbox),
    }),
  );
  onStarted(() => mailbox.close());

  const sandbox = await progress.step("sandbox: Neon, Supabase and Stripe", async () =>
    startSandbox({
      databaseUrl: databases.simulatorsUrl,
      neonAdminUrl: databases.sandboxUrl,
      host: HOST,
      controlPort: await portOrAny(ports.sandbox),
      ports: {
        neon: await portOrAny(ports.neon),
        supabase: await portOrAny(ports.supabase),
        stripe: await portOrAny(ports.stripe),
      },
      redirectUris: [oauthCallbackUrl],
    }),
  );
  onStarted(() => sandbox.close());

  return {
    mailbox,
    sandbox,
    ports: {
      mailbox: portOf(mailbox.url),
      sandbox: portOf(sandbox.url),
      neon: portOf(sandbox.neon.url),
      supabase: portOf(sandbox.supabase.url),
      stripe: portOf(sandbox.stripe.url),
    },
  };
}
