import { join } from "node:path";
import { vendorNamesOf } from "@purser/service/foundation/vendors.ts";
import { startMailbox } from "@purser/simulators/mailbox/start-mailbox.ts";
import { postWebhooksTo } from "@purser/simulators/sandbox/post-webhooks.ts";
import { type Sandbox, startSandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import type { LocalDatabases } from "./databases.ts";
import { addExplorer } from "./networks/explorer/explorer.ts";
import { type LocalNetworks, startNetworks } from "./networks/start-networks.ts";
import type { Progress } from "./progress.ts";
import { portOf, type SavedPorts } from "./saved-ports.ts";

const HOST = "127.0.0.1";
const OAUTH_CALLBACK_PATH = "/api/v1/svc/projects/webhooks/oauth-callback";
const LOGIN_RETURN_PATHS = vendorNamesOf("identity").map((name) => `/login/${name}/return`);

export interface LocalVendors {
  readonly mailbox: Pick<Awaited<ReturnType<typeof startMailbox>>, "url" | "smtpUrl">;
  readonly sandbox: Sandbox;
  readonly networks: LocalNetworks;
  /** The ports of the mailbox, the sandbox, the networks and the simulators. */
  readonly ports: SavedPorts;
}

/**
 * Starts simulators of all external services that the service calls, and the local networks. Each uses its port from the last
 * start if that port is free.
 */
export async function startVendors({
  dataDir,
  databases,
  publicUrl,
  ports,
  progress,
  onStarted,
}: {
  readonly dataDir: string;
  readonly databases: LocalDatabases;
  /** The service's base URL, the only target to which consent pages redirect. */
  readonly publicUrl: string;
  readonly ports: SavedPorts;
  readonly progress: Progress;
  readonly onStarted: (stop: () => Promise<void>) => void;
}): Promise<LocalVendors> {
  const mailbox = await progress.step("mailbox", async () =>
    startMailbox({
      databaseUrl: databases.simulatorsUrl,
      host: HOST,
      smtpPort: 0,
      httpPort: ports.mailbox ?? 0,
    }),
  );
  onStarted(() => mailbox.close());

  const networks = await progress.step("local networks", async () =>
    startNetworks({ folder: join(dataDir, "networks"), port: ports.networks ?? 0, note: progress.note }),
  );
  onStarted(() => networks.close());

  const sandbox = await progress.step("sandbox: simulated vendors", async () =>
    startSandbox({
      databaseUrl: databases.simulatorsUrl,
      neonAdminUrl: databases.sandboxUrl,
      host: HOST,
      controlPort: ports.sandbox ?? 0,
      ports,
      redirectUris: [publicUrl + OAUTH_CALLBACK_PATH],
      sendWebhook: postWebhooksTo(publicUrl),
      // The bundler's first call of a network starts its chain.
      rpcUrlOf: networks.bundlerUrlOf,
      addPages: (server) => addExplorer(server, networks.rpcUrlOf),
      loginRedirectUris: LOGIN_RETURN_PATHS.map((path) => publicUrl + path),
    }),
  );
  onStarted(() => sandbox.close());

  return {
    mailbox,
    sandbox,
    networks,
    ports: {
      mailbox: portOf(mailbox.url),
      sandbox: portOf(sandbox.url),
      networks: portOf(networks.url),
      ...sandbox.ports,
    },
  };
}
