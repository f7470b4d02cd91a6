import { join } from "node:path";
import type { EmbeddedPostgres } from "@purser/embedded-postgres";
import { startService } from "@purser/service/compose.ts";
import { migrate } from "@purser/service/db/migrate.ts";
import { startMailbox } from "@purser/simulators/mailbox/start-mailbox.ts";
import { ensureDatabases, findKeysInUse } from "./databases.ts";
import { type DemoDeveloper, ensureDemoDeveloper } from "./demo-developer.ts";
import { findPort } from "./find-port.ts";
import { localConfig } from "./local-config.ts";
import { openLogFile } from "./log-file.ts";
import type { Progress } from "./progress.ts";
import { readOrMakeSecrets } from "./secrets.ts";

export interface StartOnPostgres {
  readonly postgres: EmbeddedPostgres;
  readonly dataDir: string;
  /** 0: a free one. */
  readonly port: number;
  readonly progress: Progress;
  /** Told how to stop what runs, as soon as it runs. */
  readonly onStarted: (stop: () => Promise<void>) => void;
}

export interface StartedParts {
  readonly baseUrl: string;
  readonly mailboxUrl: string;
  readonly demo: DemoDeveloper;
  readonly logFile: string;
}

/** Starts everything that stands on the database: the mailbox, the service, and somebody to sign as. */
export async function startOnPostgres({
  postgres,
  dataDir,
  port,
  progress,
  onStarted,
}: StartOnPostgres): Promise<StartedParts> {
  const servicePort = await findPort(port);
  const { secrets, databases } = await progress.step("databases and migrations", async () => {
    const made = await readOrMakeSecrets(dataDir, await findKeysInUse(postgres));
    const ready = await ensureDatabases(postgres, made);
    await migrate({ ownerUrl: ready.ownerUrl });
    return { secrets: made, databases: ready };
  });

  const mailbox = await progress.step("mailbox", () =>
    startMailbox({
      databaseUrl: databases.simulatorsUrl,
      host: "127.0.0.1",
      smtpPort: 0,
      httpPort: 0,
    }),
  );
  onStarted(() => mailbox.close());

  const logFile = join(dataDir, "purser.log");
  const log = await openLogFile(logFile);
  onStarted(() => log.close());
  const { smtpUrl } = mailbox;
  const config = localConfig({ dataDir, port: servicePort, secrets, databases, smtpUrl });
  const service = await progress.step("service: api and worker", () =>
    startService(config, { logTo: log }),
  );
  onStarted(() => service.close());

  const demo = await progress.step("demo developer", () =>
    ensureDemoDeveloper(service.app, dataDir, progress.note),
  );
  return { baseUrl: service.url, mailboxUrl: mailbox.url, demo, logFile };
}
