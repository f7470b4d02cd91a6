import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { LRUCache } from "lru-cache";
import { pino } from "pino";
import { afterAll, beforeAll } from "vitest";
import { createAltchaCaptcha } from "../src/adapters/altcha-captcha.ts";
import { createFileAuditAnchor } from "../src/adapters/file-audit-anchor.ts";
import { createFileKeyEncryptionKey } from "../src/adapters/file-key-encryption-key.ts";
import { createMemoryFastState } from "../src/adapters/memory-fast-state.ts";
import type { App } from "../src/app.ts";
import { ADMIN_TOKENS, createAccessTokens, DASHBOARD_TOKENS } from "../src/crypto/access-tokens.ts";
import { createPasswordHasher } from "../src/crypto/passwords.ts";
import { requestSignature, sha256Hex } from "../src/crypto/signing.ts";
import { createStatementSigner } from "../src/crypto/statement-signer.ts";
import { openDatabase } from "../src/db/database.ts";
import { createDbosExecution } from "../src/durable/dbos-execution.ts";
import { AuthFailureLog } from "../src/foundation/auth-failure-log.ts";
import type { TenantId } from "../src/foundation/ids.ts";
import { invariant } from "../src/foundation/invariant.ts";
import { defaultSettings, type Settings } from "../src/foundation/settings.ts";
import { buildServer } from "../src/http/server.ts";
import type { Mail } from "../src/ports/mailer.ts";
import { workflowsOf } from "../src/workflows/index.ts";
import { relayDueMessages } from "../src/workflows/relay-outbox.ts";
import { TestClock } from "./clock.ts";
import { createServiceDatabase, type TestDatabase } from "./database.ts";
import { startTestSandbox, type TestSandbox, vendorsOf } from "./sandbox.ts";
import { type KeySeed, seedDeveloper, seedKeyPair } from "./seeds.ts";

const PUBLIC_URL = "http://purser.test";
export const PREFIX = "/api/v1/svc";
/** How many database connections the harness has for requests. */
export const REQUEST_CONNECTIONS = 12;

export interface HarnessOptions {
  /**
   * Starts the vendors' simulators and launches the durable workflows. The app's vendors are the real adapters either way;
   * without the simulators nobody answers them.
   */
  readonly vendors?: boolean;
  readonly settings?: Partial<Settings>;
  /** Replaces parts of the app before the server is built: stores that fail on demand, say. */
  readonly replace?: (app: App) => Partial<App>;
}

export interface SignOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly signature?: string;
  /** What is signed instead of the path as it is sent. */
  readonly signedPath?: string;
}

/** The body of an answer, as tests look into it. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts what it expects of the answer.
export type AnyBody = any;

export interface Answer {
  readonly status: number;
  readonly body: AnyBody;
  readonly text: string;
  readonly headers: LightMyRequestResponse["headers"];
}

/** The service over a real database of its own, with a clock that stands still and mails that stay here. */
export function useHarness({
  settings = {},
  replace = () => ({}),
  vendors = false,
}: HarnessOptions = {}) {
  const clock = new TestClock();
  const logLines: string[] = [];
  const mails: Mail[] = [];
  let database: TestDatabase;
  let folder: string;
  let app: App;
  let server: Awaited<ReturnType<typeof buildServer>>;
  let sandbox: TestSandbox | undefined;

  beforeAll(async () => {
    database = await createServiceDatabase();
    sandbox = vendors ? await startTestSandbox(PUBLIC_URL, clock) : undefined;
    folder = await mkdtemp(join(tmpdir(), "purser-harness-"));
    const log = pino({ level: "debug" }, { write: (line: string) => void logLines.push(line) });
    const db = openDatabase({
      url: database.serviceUrl,
      connectionsMax: { requests: REQUEST_CONNECTIONS, authentication: 4, jobs: 4 },
      statementTimeoutMs: 20_000,
      readTimeoutMs: 10_000,
      connectTimeoutMs: 5_000,
      onError: () => {},
    });
    const base: App = {
      settings: {
        ...defaultSettings,
        publicUrl: PUBLIC_URL,
        storeTimeoutMs: 3_000,
        vendorRetryMs: 20,
        vendorSettleMs: 100,
        ...settings,
      },
      clock,
      log,
      db,
      durable: createDbosExecution({
        db,
        log,
        databaseUrl: database.serviceUrl,
        connectionsMax: 5,
        instanceId: "harness",
        leaseMs: 60_000,
        leaseRenewedEveryMs: 1_000,
        queuePollMs: 50,
      }),
      ...vendorsOf(sandbox, clock),
      fastState: await createMemoryFastState({ claimsFile: join(folder, "claims.jsonl") }),
      keyEncryptionKey: createFileKeyEncryptionKey(randomBytes(32).toString("base64")),
      vaults: new LRUCache({ max: 1_000, ttl: 60_000 }),
      signer: createStatementSigner(newPrivateKeyPem()),
      auditAnchor: createFileAuditAnchor({ path: join(folder, "anchor.jsonl") }),
      accessTokens: createAccessTokens(newPrivateKeyPem(), DASHBOARD_TOKENS),
      adminTokens: createAccessTokens(newPrivateKeyPem(), ADMIN_TOKENS),
      passwords: createPasswordHasher({ concurrencyMax: 2 }),
      captcha: createAltchaCaptcha({
        hmacSecret: randomBytes(32).toString("hex"),
        acceptDummies: true,
        claimOnce: (claim) => app.fastState.claimOnce(claim),
      }),
      mailer: { send: async (mail) => void mails.push(mail) },
      keyUses: new Map(),
      authFailures: new AuthFailureLog(),
      health: { refusal: null },
    };
    app = { ...base, ...replace(base) };
    if (vendors) await app.durable.launch(workflowsOf(app));
    server = await buildServer(app);
  });

  afterAll(async () => {
    await server.close();
    await app.durable.close();
    await app.fastState.close();
    await app.db.destroy();
    await sandbox?.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function send(options: InjectOptions): Promise<Answer> {
    const answer = await server.inject(options);
    const text = answer.body;
    const isJson = /[/+]json/.test(String(answer.headers["content-type"] ?? ""));
    return {
      status: answer.statusCode,
      body: isJson && text !== "" ? JSON.parse(text) : undefined,
      text,
      headers: answer.headers,
    };
  }

  /** A key pair of the developer's, and a client that signs with it. */
  async function seedKey(tenantId: TenantId, seed?: KeySeed) {
    const { keyId, apiKey, apiSecret } = await seedKeyPair(app, tenantId, seed);
    return { keyId, ...clientOf(apiKey, apiSecret) };
  }

  function clientOf(apiKey: string, apiSecret: string) {
    const signingKey = sha256Hex(apiSecret);

    /** Sends a signed request whose body is these very bytes. */
    async function sendRaw(
      method: string,
      path: string,
      payload: string | Buffer | undefined,
      { headers = {}, timestamp, nonce, signature, signedPath }: SignOptions = {},
    ): Promise<Answer> {
      const stamp = timestamp ?? String(Math.floor(clock.now().getTime() / 1000));
      const url = PREFIX + path;
      const body =
        payload === undefined
          ? { part: {}, headers: {} }
          : { part: { payload }, headers: { "content-type": "application/json" } };
      const bodyHash = sha256Hex(payload ?? "");
      const parts = { timestamp: stamp, method, path: signedPath ?? url, bodyHash };
      return send({
        method: method as "GET",
        url,
        ...body.part,
        headers: {
          authorization: apiKey,
          ...body.headers,
          "x-nonce": nonce ?? randomUUID(),
          "x-request-signature": signature ?? requestSignature(signingKey, parts).toString("hex"),
          "x-timestamp": stamp,
          ...headers,
        },
      });
    }

    const json = (method: string) => (path: string, body?: object, options?: SignOptions) =>
      sendRaw(method, path, body === undefined ? undefined : JSON.stringify(body), options);

    return {
      apiKey,
      apiSecret,
      sendRaw,
      get: (path: string, options?: SignOptions) => sendRaw("GET", path, undefined, options),
      post: json("POST"),
      put: json("PUT"),
      patch: json("PATCH"),
      delete: (path: string, options?: SignOptions) => sendRaw("DELETE", path, undefined, options),
    };
  }

  /** A verified developer with a live key pair. */
  async function seedTenant(options?: Parameters<typeof seedKey>[1]) {
    const tenantId = await seedDeveloper(app);
    return { tenantId, ...(await seedKey(tenantId, options)) };
  }

  return {
    get app() {
      return app;
    },
    get server() {
      return server;
    },
    get database() {
      return database;
    },
    /** The vendors, where `vendors` was asked for. */
    get sandbox() {
      invariant(sandbox !== undefined, "a test that uses the sandbox asks for vendors");
      return sandbox;
    },
    get folder() {
      return folder;
    },
    clock,
    mails,
    logLines,
    send,
    /** Sends what is due, as the worker does a few times a second. */
    deliverMails: () => relayDueMessages(app),
    seedDeveloper: () => seedDeveloper(app),
    seedKey,
    seedTenant,
    clientOf,
  };
}

function newPrivateKeyPem(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
