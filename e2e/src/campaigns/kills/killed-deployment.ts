import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
import { openSeedApp, type SeedApp } from "../../../../service/test/seeds.ts";
import { type OwnPostgres, startOwnPostgres } from "../../own-postgres.ts";
import { serverEnvironment } from "../../server-environment.ts";
import { type Environment, launchServer, type ServerProcess, untilServing } from "../../server-process.ts";
import { pick } from "../random.ts";

export type Victim = "service" | "postgres";

/** What is killed, in turn: PostgreSQL once in ten times. */
export const VICTIMS: readonly Victim[] = [
  ...["service", "service", "postgres", "service", "service"],
  ...["service", "service", "service", "service", "service"],
] as Victim[];

/** A server process that can be started again at the same URL. */
interface Service {
  url(): string;
  /** Starts it with `changes` to its environment. */
  start(changes?: Environment): Promise<void>;
  kill(): Promise<void>;
  /** Returns the log of all its processes so far. */
  log(): string;
}

/** A server process, without Redis, and its PostgreSQL. Both can be killed and started again. */
export interface KilledDeployment {
  readonly folder: string;
  readonly service: Service;
  readonly postgres: OwnPostgres;
  /** Functions that write test data directly to the database. */
  readonly seeds: SeedApp;
  /** The number of kills so far. */
  readonly kills: Record<Victim, number>;
  /** The service's environment, without the changes of a start. */
  readonly environment: Environment;
}

interface DeploymentOptions {
  /** Part of the name of the deployment's folder. */
  readonly name: string;
  /** The program that the server runs. Default: `serve.ts`. */
  readonly file?: string;
  /** PostgreSQL's settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Runs `work` with a deployment. Its server is not started yet. */
export async function withKilledDeployment<Result>(
  { name, file, settings = {} }: DeploymentOptions,
  work: (deployment: KilledDeployment) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `purser-${name}-`));
  const postgres = await startOwnPostgres({ settings });
  const secrets = newSecrets();
  const seeds = openSeedApp({
    databaseUrl: postgres.serviceUrl,
    keyEncryptionKey: secrets.PURSER_KEY_ENCRYPTION_KEY,
  });
  const { REDIS_URL: _, ...withoutRedis } = serverEnvironment(
    secrets,
    { databaseUrl: postgres.serviceUrl, redisUrl: "" },
    folder,
  );
  const environment = {
    ...withoutRedis,
    PII_DATABASE_URL: postgres.piiUrl,
    PURSER_CLAIMS_FILE: join(folder, "claims.jsonl"),
    PURSER_LOG_LEVEL: "error",
  };
  const service = createService(environment, file);
  try {
    return await work({ folder, service, postgres, seeds, kills: { service: 0, postgres: 0 }, environment });
  } finally {
    await service.kill();
    await seeds.db.destroy();
    await postgres.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Kills a process of the deployment and starts it again. */
async function killOnce(
  { service, postgres, kills }: KilledDeployment,
  victim: Victim,
  changes: Environment | undefined,
): Promise<void> {
  kills[victim] += 1;
  if (victim === "service") {
    await service.kill();
    await service.start(changes);
  } else {
    await postgres.kill();
    await postgres.restart();
  }
}

/**
 * Kills the victims in turn, each as soon as `untilDue` resolves to true, until it resolves to false. The service is started
 * again with `changes` to its environment.
 */
export async function killInTurn(
  deployment: KilledDeployment,
  victims: readonly Victim[],
  untilDue: (kill: number) => Promise<boolean>,
  changes?: Environment,
): Promise<void> {
  for (let kill = 1; await untilDue(kill); kill += 1) {
    await killOnce(deployment, pick(victims, (kill - 1) % victims.length), changes);
  }
}

function createService(environment: Environment, file: string | undefined): Service {
  let process: ServerProcess | undefined;
  let logged = "";
  return {
    url: () => process?.url ?? "",
    start: async (changes) => {
      logged += process?.log() ?? "";
      const port = process === undefined ? "0" : new URL(process.url).port;
      const variables = { ...environment, ...changes, PURSER_PORT: port };
      process = await untilServing(launchServer(variables, file));
    },
    kill: async () => void (await process?.kill()),
    log: () => logged + (process?.log() ?? ""),
  };
}
