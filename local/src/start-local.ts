import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@purser/embedded-postgres";
import { startService } from "@purser/service/compose.ts";
import { migrate } from "@purser/service/db/migrate.ts";
import { startMailbox } from "@purser/simulators/mailbox/start-mailbox.ts";
import { ensureDatabases, type LocalDatabases } from "./databases.ts";
import { type DemoDeveloper, ensureDemoDeveloper } from "./demo-developer.ts";
import { freePort } from "./free-port.ts";
import { localConfig } from "./local-config.ts";
import { openLogFile } from "./log-file.ts";
import type { Progress } from "./progress.ts";
import { readOrMakeSecrets } from "./secrets.ts";

export interface LocalOptions {
  readonly dataDir: string;
  /** 0: a free one. */
  readonly port: number;
  readonly progress: Progress;
}

export interface LocalPurser {
  readonly baseUrl: string;
  readonly mailboxUrl: string;
  readonly demo: DemoDeveloper;
  readonly logFile: string;
  /** Lets requests under way end, then stops everything that was started, what was started last first. */
  close(): Promise<void>;
}

/** Starts the whole product in this process, with its database beside it: what `npm start` does. */
export async function startLocal({ dataDir, port, progress }: LocalOptions): Promise<LocalPurser> {
  const started: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  try {
    return { ...(await startParts({ dataDir, port, progress }, started)), close };
  } catch (error) {
    // A start that fails midway leaves nothing running.
    await close().catch(() => {});
    throw error;
  }
}

async function startParts(
  { dataDir, port, progress }: LocalOptions,
  started: (() => Promise<void>)[],
): Promise<Omit<LocalPurser, "close">> {
  await mkdir(dataDir, { recursive: true });
  const secrets = await readOrMakeSecrets(dataDir);
  const postgres = await progress.step("PostgreSQL", () => startEmbeddedPostgres({ dataDir }));
  started.push(() => postgres.stop());

  const databases = await progress.step("databases and migrations", async () => {
    const ready: LocalDatabases = await ensureDatabases(postgres, secrets);
    await migrate({ ownerUrl: ready.ownerUrl });
    return ready;
  });
  const mailbox = await progress.step("mailbox", () =>
    startMailbox({
      databaseUrl: databases.simulatorsUrl,
      host: "127.0.0.1",
      smtpPort: 0,
      httpPort: 0,
    }),
  );
  started.push(() => mailbox.close());

  const logFile = join(dataDir, "purser.log");
  const service = await progress.step("service: api and worker", async () => {
    const servicePort = port === 0 ? await freePort() : port;
    const config = localConfig({
      dataDir,
      port: servicePort,
      secrets,
      databases,
      smtpUrl: mailbox.smtpUrl,
    });
    return startService(config, { logTo: await openLogFile(logFile) });
  });
  started.push(() => service.close());

  const demo = await progress.step("demo developer", () =>
    ensureDemoDeveloper(service.app, dataDir),
  );
  return { baseUrl: service.url, mailboxUrl: mailbox.url, demo, logFile };
}
