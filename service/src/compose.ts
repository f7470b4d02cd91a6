import { availableParallelism } from "node:os";
import { LRUCache } from "lru-cache";
import { type DestinationStream, type Logger, pino } from "pino";
import { createFileAuditAnchor } from "./adapters/audit-anchor/file-audit-anchor.ts";
import { createJsonRpcNetwork } from "./adapters/evm-network/json-rpc-network.ts";
import { createJwksTokenIssuers } from "./adapters/external-token-issuers/jwks-token-issuers.ts";
import { createMemoryFastState } from "./adapters/fast-state/memory-fast-state.ts";
import { createFileKeyEncryptionKey, createKeyring } from "./adapters/key-encryption-key/file-key-encryption-key.ts";
import { createSmtpMailer } from "./adapters/mailer/smtp-mailer.ts";
import { createHttpWebhookSender } from "./adapters/webhook-sender/http-webhook-sender.ts";
import type { App } from "./app.ts";
import { RequestLog } from "./call-limits/request-log.ts";
import { WaitingCallers } from "./call-limits/waiting-callers.ts";
import { checkBeforeStart } from "./compose/check-before-start.ts";
import { startTelemetry, withObservedPorts } from "./compose/telemetry.ts";
import { composeCaptcha, composeVendors } from "./compose/vendors.ts";
import { composeWidgets } from "./compose/widgets.ts";
import type { KeyEncryptionKeySource, KeyEncryptionKeysConfig } from "./config/key-encryption-keys.ts";
import { parseSentinelUrl } from "./config/redis-url.ts";
import type { Config } from "./config.ts";
import { ADMIN_TOKENS, createAccessTokens, DASHBOARD_TOKENS } from "./crypto/access-tokens.ts";
import { createPasswordHasher } from "./crypto/passwords.ts";
import { createStatementSigner } from "./crypto/statement-signer.ts";
import { type DatabaseOptions, type Db, openDatabase } from "./db/database.ts";
import { WakeUps } from "./due-work/wake-ups.ts";
import { createDbosExecution } from "./durable/dbos-execution.ts";
import { EventFeed } from "./events/event-feed.ts";
import { AuthFailureLog } from "./foundation/auth-failure-log.ts";
import { networkFactsOf } from "./foundation/blockchain-networks.ts";
import { type Clock, systemClock } from "./foundation/clock.ts";
import { observers } from "./foundation/telemetry/activities.ts";
import { buildServer } from "./http/server.ts";
import { apiJobs, workerJobs } from "./jobs/jobs.ts";
import { startJobs } from "./jobs/runner.ts";
import { loadCatalogs } from "./modules/catalog/browse-catalog.ts";
import { offerReleased } from "./modules/catalog/catalog.ts";
import { writeRequestLog } from "./modules/developers/request-log/request-log.ts";
import { requireEvmNetwork } from "./modules/networks/networks.ts";
import type { Saga } from "./operations/saga.ts";
import type { AuditAnchor } from "./ports/audit-anchor.ts";
import type { FastState } from "./ports/fast-state.ts";
import type { KeyEncryptionKey } from "./ports/key-encryption-key.ts";
import { VAULT_TTL_MS } from "./vault/vault.ts";
import { allSagas, workflowsOf } from "./workflows/sagas.ts";

const VAULTS_MAX = 10_000;
/** If there are several cores, password hashing leaves at least one free for other requests. */
const PASSWORD_THREADS_MAX = Math.max(1, Math.min(2, availableParallelism() - 1));

export interface AppOverrides {
  readonly clock?: Clock;
  /** Where log lines are written. Default: standard error. */
  readonly logTo?: DestinationStream;
  /** Replaces members of the app in tests, for example with a failing store or a mailer that records emails. */
  readonly replace?: (app: App) => Partial<App>;
  /** Replaces the sagas in tests. */
  readonly sagas?: readonly Saga[];
  /**
   * Called after everything else has started. Must call `listen`. If the port was reserved for the server, the function
   * must release the port before it calls `listen`.
   */
  readonly handOverPort?: <Result>(listen: () => Promise<Result>) => Promise<Result>;
}

export interface RunningService {
  readonly app: App;
  /** The URL that the server listens on. Empty for a process without the `api` role. */
  readonly url: string;
  readonly metricsUrl: string | null;
  /** Stops accepting requests, waits for running ones, stops the jobs, and closes all stores. */
  close(): Promise<void>;
}

/** Builds the app for servers, commands, tests and the OpenAPI document. Adapters are selected only here. */
export async function composeApp(
  config: Config,
  { clock = systemClock, logTo, replace, sagas = allSagas }: AppOverrides = {},
): Promise<App> {
  const { timeouts, piiDatabaseUrl: piiUrl } = config;
  const log = createLog(config, logTo);
  const fastState = await createFastState(config, clock);
  const db = openStore(config, { url: config.databaseUrl, connectionsMax: config.databaseConnectionsMax }, log);
  const evmNetworks = composeNetworks(config, { clock, log });
  const composed: App = {
    piiDb: piiUrl === null ? null : openStore(config, { url: piiUrl, ...PII_STORE }, log),
    settings: config.settings,
    clock,
    log,
    fastState,
    db,
    durable: createDbosExecution({
      db,
      log,
      databaseUrl: config.databaseUrl,
      connectionsMax: config.workflowConnectionsMax,
      instanceId: config.instanceId,
      leaseMs: timeouts.workflowLeaseMs,
      queuePollMs: timeouts.workflowPollMs,
      providers: () => [...app.providers.keys()],
    }),
    operationKinds: new Map(sagas.map((saga) => [saga.type, saga])),
    keyEncryptionKey: await composeKeyEncryptionKey(config.keyEncryptionKeys),
    vaults: new LRUCache({ max: VAULTS_MAX, ttl: VAULT_TTL_MS }),
    signer: createStatementSigner(config.statementKey, config.retiredStatementKeys),
    auditAnchor: await composeAuditAnchor(config, { clock, log, evmNetworks }),
    accessTokens: createAccessTokens(config.accessTokenKey, DASHBOARD_TOKENS),
    adminTokens: createAccessTokens(config.adminTokenKey, ADMIN_TOKENS),
    passwords: createPasswordHasher({ concurrencyMax: PASSWORD_THREADS_MAX }),
    mailer: createSmtpMailer({ url: config.smtpUrl, from: config.mailFrom }),
    externalTokenIssuers: createJwksTokenIssuers(config.tokenIssuers, {
      timeoutMs: timeouts.loginMs,
    }),
    captcha: composeCaptcha({ ...config, clock }, (claim) => app.fastState.claimOnce(claim)),
    ...composeVendors(config, clock),
    widgets: composeWidgets(config),
    dollarRates: new Map(),
    evmNetworks,
    networksInUse: new Set(),
    operatorKeys: config.operatorKeys,
    wakeUps: new WakeUps(),
    keyUses: new Map(),
    authFailures: new AuthFailureLog(),
    requestLog: new RequestLog(),
    waitingCallers: new WaitingCallers(),
    eventFeed: new EventFeed(),
    webhookSender: createHttpWebhookSender({ allowsLoopback: config.webhooksAllowLoopback }),
    health: { refusal: null },
  };
  offerReleased(composed.providers.values());
  const app = withObservedPorts({ ...composed, ...replace?.(composed) }, config);
  return app;
}

/** The vault's tables in the schema `pii` have the names of those in `public`. */
const PII_STORE = { connectionsMax: { requests: 2, authentication: 1, jobs: 1 }, searchPath: "pii, public" } as const;

function openStore(
  { timeouts }: Pick<Config, "timeouts">,
  store: Pick<DatabaseOptions, "url" | "connectionsMax" | "searchPath">,
  log: Logger,
): Db {
  return openDatabase({
    ...store,
    connectTimeoutMs: timeouts.storeMs,
    statementTimeoutMs: timeouts.statementMs,
    readTimeoutMs: timeouts.storeMs,
    onError: ({ message }) => log.warn({ message }, "idle database connection closed with an error"),
  });
}

export async function closeApp({ durable, fastState, db, piiDb }: App): Promise<void> {
  await durable.close();
  await fastState.close();
  await db.destroy();
  await piiDb?.destroy();
}

export async function startService(config: Config, overrides: AppOverrides = {}): Promise<RunningService> {
  const app = await composeApp(config, overrides);
  await checkBeforeStart(app, config).catch(async (error: unknown) => {
    await closeApp(app);
    throw error;
  });
  const telemetry = await startTelemetry(app, config);
  await loadCatalogs(app);
  await app.durable.launch(workflowsOf(app, overrides.sagas ?? allSagas));
  const server = config.roles.includes("api")
    ? await buildServer(app, {
        trustedProxies: config.trustedProxies,
        requestTimeoutMs: config.timeouts.requestMs,
        stallTimeoutMs: config.timeouts.stallMs,
      })
    : undefined;
  const jobs = startJobs(
    [...apiJobs(app), ...(config.roles.includes("worker") ? workerJobs(app) : [])],
    app.log,
    app.wakeUps,
  );
  const { host, port } = config;
  const { handOverPort = (listen) => listen() } = overrides;
  const url = (await handOverPort(async () => server?.listen({ host, port }))) ?? "";
  return {
    app,
    url,
    metricsUrl: telemetry.metricsUrl,
    close: async () => {
      await server?.close();
      await jobs.stop();
      await writeRequestLog(app);
      await closeApp(app);
      await telemetry.close();
    },
  };
}

async function createFastState(
  { redisUrl, redisKeyPrefix, claimsFile, timeouts }: Config,
  clock: Clock,
): Promise<FastState> {
  if (redisUrl !== null) {
    // Imported on demand, because imports take most of the startup time.
    const { createRedisFastState } = await import("./adapters/fast-state/redis-fast-state.ts");
    const commandTimeoutMs = timeouts.redisMs;
    const now = () => clock.now().getTime();
    const sentinel = parseSentinelUrl(redisUrl);
    return createRedisFastState({ url: redisUrl, sentinel, keyPrefix: redisKeyPrefix, commandTimeoutMs, now });
  }
  return createMemoryFastState(claimsFile === null ? {} : { claimsFile });
}

function composeNetworks(
  { rpcUrls, timeouts }: Config,
  { clock, log }: Pick<App, "clock" | "log">,
): App["evmNetworks"] {
  const networks = [...rpcUrls].map(([network, urls]) => {
    const onWrongChain = (chainId: bigint) =>
      log.error({ network, chainId: String(chainId) }, "a node belongs to another chain: operator action required");
    const node = { timeoutMs: timeouts.rpcMs, clock, onWrongChain };
    return [network, createJsonRpcNetwork({ ...node, network, urls })] as const;
  });
  return new Map(networks);
}

async function composeAuditAnchor(
  { auditAnchor: anchor, settings }: Config,
  { clock, log, evmNetworks }: Pick<App, "clock" | "log" | "evmNetworks">,
): Promise<AuditAnchor> {
  if (anchor.kind === "file") return createFileAuditAnchor(anchor);
  if (anchor.kind === "evm") {
    const { network } = anchor;
    const { createEvmAuditAnchor } = await import("./adapters/audit-anchor/evm-audit-anchor.ts");
    return createEvmAuditAnchor({
      ...anchor,
      ...{ clock, chain: requireEvmNetwork({ evmNetworks }, network) },
      confirmations: settings.confirmations ?? networkFactsOf(network).confirmations,
      onRefused: (reason) => log.warn({ network, reason }, "the nodes refuse a transaction of the audit anchor"),
    });
  }
  const { createS3AuditAnchor } = await import("./adapters/audit-anchor/s3-audit-anchor.ts");
  return createS3AuditAnchor({ ...anchor, clock });
}

async function composeKeyEncryptionKey({ current, previous }: KeyEncryptionKeysConfig): Promise<KeyEncryptionKey> {
  return createKeyring(await keyFrom(current), await Promise.all(previous.map(keyFrom)));
}

async function keyFrom(source: KeyEncryptionKeySource): Promise<KeyEncryptionKey> {
  if (source.kind !== "aws-kms") return createFileKeyEncryptionKey(source.base64);
  const { createAwsKmsKeyEncryptionKey } = await import("./adapters/key-encryption-key/aws-kms-key-encryption-key.ts");
  return createAwsKmsKeyEncryptionKey({ keyArn: source.keyArn });
}

function createLog({ logLevel }: Config, logTo: DestinationStream = pino.destination(2)): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      hooks: {
        logMethod(words, log) {
          const isAlarm = words.some((word) => typeof word === "string" && word.includes("operator action required"));
          if (isAlarm) observers.meter?.({ kind: "operator alarm", name: "operator action required", facts: {} }, 0);
          log.apply(this, words);
        },
      },
      redact: ["*.authorization", "*.cookie", "*.password", "*.token", "*.apiKey", "*.apiSecret"],
    },
    logTo,
  );
}
