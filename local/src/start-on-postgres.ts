import { join } from "node:path";
import type { EmbeddedPostgres } from "@purser/embedded-postgres";
import type { App } from "@purser/service/app.ts";
import { startService } from "@purser/service/compose.ts";
import type { Environment } from "@purser/service/config/reader.ts";
import { migrate, OldSchemaError } from "@purser/service/db/migrate.ts";
import { useNetwork } from "@purser/service/modules/networks/networks.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { ensureDatabases, findKeysInUse } from "./databases.ts";
import { type DemoDeveloper, ensureDemoDeveloper } from "./demo-developer.ts";
import { ensureLocalAdmin, type LocalAdmin } from "./local-admin.ts";
import { localConfig } from "./local-config.ts";
import { openLogFile } from "./log-file.ts";
import type { Progress } from "./progress.ts";
import { reservePort } from "./reserve-port.ts";
import { retryWhileDatabaseUnavailable } from "./retry-while-database-unavailable.ts";
import { type SavedPorts, writeSavedPorts } from "./saved-ports.ts";
import { readOrCreateSecrets } from "./secrets.ts";
import { StartError } from "./start-error.ts";
import { startVendors } from "./start-vendors.ts";

export interface StartOnPostgresOptions {
  readonly postgres: EmbeddedPostgres;
  readonly dataDir: string;
  /** If 0, any free port is used. */
  readonly port: number;
  /** The ports that PostgreSQL, the mailbox, the sandbox and the simulators used on the last start. */
  readonly ports: SavedPorts;
  readonly limits?: Environment | undefined;
  /** The base URL of a bundler that takes the place of the simulated one. */
  readonly bundlerUrl?: string | undefined;
  readonly progress: Progress;
  /** Called with a part's stop function as soon as the part is running. */
  readonly onStarted: (stop: () => Promise<void>) => void;
}

export interface StartedParts {
  readonly baseUrl: string;
  readonly mailboxUrl: string;
  /** The sandbox page, which shows the requests to the simulators and can make them fail. */
  readonly sandboxUrl: string;
  /** The sandbox as an object, for callers in this process. */
  readonly sandbox: Sandbox;
  /** The local networks: JSON-RPC at `/NETWORK`, USDC at `/NETWORK/mint`. */
  readonly networksUrl: string;
  readonly demo: DemoDeveloper;
  readonly admin: LocalAdmin;
  readonly logFile: string;
  /** The running service, for callers in this process. */
  readonly app: App;
}

/** Starts the simulated vendors and the service, and creates the demo developer and the admin. */
export async function startOnPostgres({
  postgres,
  dataDir,
  port,
  ports,
  limits,
  bundlerUrl,
  progress,
  onStarted,
}: StartOnPostgresOptions): Promise<StartedParts> {
  const reserved = await reservePort(port);
  onStarted(() => reserved.release());
  const { secrets, databases } = await progress.step("databases and migrations", async () => {
    const made = await readOrCreateSecrets(dataDir, await findKeysInUse(postgres));
    const ready = await ensureDatabases(postgres, made);
    await migrate({ ownerUrl: ready.ownerUrl }).catch((error: unknown) => {
      throw error instanceof OldSchemaError ? oldData(dataDir, error) : error;
    });
    return { secrets: made, databases: ready };
  });

  const publicUrl = `http://127.0.0.1:${reserved.port}`;
  const vendors = await startVendors({ dataDir, databases, publicUrl, ports, progress, onStarted });
  await writeSavedPorts(dataDir, { postgres: postgres.port, ...vendors.ports });

  const logFile = join(dataDir, "purser.log");
  const log = await openLogFile(logFile);
  onStarted(() => log.close());
  const config = localConfig({
    dataDir,
    port: reserved.port,
    secrets,
    databases,
    smtpUrl: vendors.mailbox.smtpUrl,
    // The poll interval is shorter than the default, because a simulated project is ready within seconds.
    vendors: {
      ...vendors.sandbox.environment,
      SUPABASE_POLL_MS: "500",
      PURSER_RPC_URLS: vendors.networks.rpcUrls,
      ...(bundlerUrl !== undefined && { PIMLICO_API_URL: bundlerUrl }),
    },
    limits,
  });
  const service = await progress.step("service: api and worker", () =>
    startService(config, { logTo: log, handOverPort: reserved.handOver }),
  );
  onStarted(() => service.close());
  vendors.networks.beforeMint((network) => useNetwork(service.app, network));

  const demo = await progress.step("demo developer", () =>
    retryWhileDatabaseUnavailable(() => ensureDemoDeveloper(service.app, dataDir, progress.note)),
  );
  const admin = await progress.step("admin", () =>
    retryWhileDatabaseUnavailable(() => ensureLocalAdmin(service.app, dataDir)),
  );
  return {
    baseUrl: service.url,
    mailboxUrl: vendors.mailbox.url,
    sandboxUrl: vendors.sandbox.url,
    sandbox: vendors.sandbox,
    networksUrl: vendors.networks.url,
    demo,
    admin,
    logFile,
    app: service.app,
  };
}

function oldData(dataDir: string, cause: OldSchemaError): StartError {
  return new StartError(
    `An earlier version of Purser created the data in ${dataDir}, and this version cannot use it: move or delete this folder, then start again.`,
    { cause },
  );
}
