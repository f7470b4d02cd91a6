import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SendWebhook } from "@purser/simulators/kit/vendor-simulator.ts";
import type { VendorOptions } from "@purser/simulators/sandbox/vendors.ts";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll } from "vitest";
import type { App } from "../src/app.ts";
import { closeApp, composeApp } from "../src/compose.ts";
import { newSecrets } from "../src/config/new-secrets.ts";
import { readConfig } from "../src/config.ts";
import { requestSignature, sha256Hex } from "../src/crypto/signing.ts";
import type { TenantId } from "../src/foundation/ids.ts";
import { invariant } from "../src/foundation/invariant.ts";
import type { Settings } from "../src/foundation/settings.ts";
import type { Route } from "../src/http/route.ts";
import { allRoutes } from "../src/http/routes/manifest.ts";
import { buildServer } from "../src/http/server.ts";
import type { Saga } from "../src/operations/saga.ts";
import type { Email } from "../src/ports/mailer.ts";
import { relayDueMessages } from "../src/workflows/relay-outbox.ts";
import { allSagas, workflowsOf } from "../src/workflows/sagas.ts";
import { TestClock } from "./clock.ts";
import { createServiceDatabase, type TestDatabase } from "./database.ts";
import { fastPasswords } from "./fast-passwords.ts";
import { type KeySeed, seedDeveloper, seedKeyPair } from "./seeds.ts";
import { startTestSandbox, type TestSandbox, vendorEnvironment } from "./vendors/sandbox.ts";

const PUBLIC_URL = "http://purser.test";
export const PREFIX = "/api/v1/svc";
/** The number of database connections that requests share. */
export const REQUEST_CONNECTIONS = 12;

/** Pauses are shorter than in production. Timeouts are longer, because several tests share the machine. */
const ENVIRONMENT = {
  PURSER_PROFILE: "test",
  PURSER_PUBLIC_URL: PUBLIC_URL,
  PURSER_LOG_LEVEL: "debug",
  PURSER_CAPTCHA_DUMMIES: "yes",
  PURSER_INSTANCE_ID: "harness",
  // No server listens on this port. The harness replaces the mailer and stores the emails.
  SMTP_URL: "smtp://127.0.0.1:9",
  DATABASE_CONNECTIONS_MAX: String(REQUEST_CONNECTIONS),
  PURSER_WORKFLOW_CONNECTIONS_MAX: "5",
  PURSER_STEADY_MS: "20",
  PURSER_STORE_TIMEOUT_MS: "10000",
  PURSER_STATEMENT_TIMEOUT_MS: "20000",
  PURSER_WORKFLOW_LEASE_MS: "60000",
  PURSER_WORKFLOW_POLL_MS: "50",
  PURSER_VENDOR_RETRY_MS: "20",
  PURSER_VENDOR_SETTLE_MS: "100",
};

export interface HarnessOptions {
  /**
   * Starts the vendor simulators and the workflow engine. The app always uses the real vendor adapters; without the
   * simulators, their calls fail.
   */
  readonly vendors?: boolean;
  /** The node that the simulated bundler uses for a chain. Default: none. */
  readonly rpcUrlOf?: VendorOptions["rpcUrlOf"];
  readonly settings?: Partial<Settings>;
  /** Environment variables, for example vendor timeouts. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Defaults to all of Purser's sagas. */
  readonly sagas?: readonly Saga[];
  /** Routes in addition to Purser's own. */
  readonly routes?: readonly Route[];
  readonly trustedProxies?: readonly string[];
  /** Replaces parts of the app, for example with stores that fail. */
  readonly replace?: (app: App) => Partial<App>;
}

export interface SignOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the clock's time, or a later one that gives an identical request another signature, as in the SDK. */
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly signature?: string;
  /** The path to sign. Defaults to the request's path. */
  readonly signedPath?: string;
}

/** The JSON body of a response. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert the shape of the responses.
export type AnyBody = any;

export interface ApiResponse {
  readonly status: number;
  readonly body: AnyBody;
  readonly text: string;
  readonly headers: LightMyRequestResponse["headers"];
}

export type Webhook = Parameters<SendWebhook>[0];

/**
 * Returns the timestamps with which a client signs a request: the given one, or as in the SDK those from now on with which
 * it has not signed an identical request with another Idempotency-Key or none. A GET, and what was sent 30 times, is
 * signed with the clock's time.
 */
function createStamps(clock: TestClock) {
  const sentKeys = new Map<string, string | undefined>();
  const wouldBeReplay = (signed: string, key: string | undefined) => {
    if (sentKeys.has(signed)) return key === undefined || sentKeys.get(signed) !== key;
    sentKeys.set(signed, key);
    return false;
  };
  return function* (
    [method, ...rest]: readonly unknown[],
    { headers, timestamp }: SignOptions,
  ): Generator<string, void, void> {
    const now = Math.floor(clock.now().getTime() / 1000);
    const laterMax = timestamp !== undefined || method === "GET" ? 0 : 30;
    for (let seconds = now; seconds < now + laterMax; seconds += 1) {
      const signed = [seconds, method, ...rest].join();
      if (!wouldBeReplay(signed, headers?.["idempotency-key"])) yield String(seconds);
    }
    yield timestamp ?? String(now);
  };
}

/** Runs the server with a new database, a clock that only tests advance, and a mailer that stores emails in `mails`. */
export function useHarness({
  settings = {},
  environment = {},
  replace = () => ({}),
  vendors = false,
  rpcUrlOf = () => undefined,
  sagas = allSagas,
  routes = [],
  trustedProxies = [],
}: HarnessOptions = {}) {
  const clock = new TestClock();
  const logLines: string[] = [];
  const mails: Email[] = [];
  const webhooks: Webhook[] = [];
  let database: TestDatabase;
  let folder: string;
  let app: App;
  let server: Awaited<ReturnType<typeof buildServer>>;
  let sandbox: TestSandbox | undefined;

  beforeAll(async () => {
    database = await createServiceDatabase();
    const sendWebhook = async (one: Webhook) => void webhooks.push(one);
    sandbox = vendors ? await startTestSandbox(PUBLIC_URL, clock, { sendWebhook, rpcUrlOf }) : undefined;
    folder = await mkdtemp(join(tmpdir(), "purser-harness-"));
    const config = readConfig({
      ...newSecrets(),
      ...ENVIRONMENT,
      ...vendorEnvironment(sandbox),
      DATABASE_URL: database.serviceUrl,
      PII_DATABASE_URL: database.piiUrl,
      PURSER_CLAIMS_FILE: join(folder, "claims.jsonl"),
      PURSER_AUDIT_ANCHOR_FILE: join(folder, "anchor.jsonl"),
      ...environment,
    });
    const changed = {
      ...config,
      settings: { ...config.settings, ...settings },
    };
    const mailer = { send: async (mail: Email) => void mails.push(mail) };
    app = await composeApp(changed, {
      clock,
      sagas,
      logTo: { write: (line: string) => void logLines.push(line) },
      replace: (composed) => ({ mailer, passwords: fastPasswords, ...replace({ ...composed, mailer }) }),
    });
    if (vendors) await app.durable.launch(workflowsOf(app, sagas));
    server = await buildServer(app, { routes: [...allRoutes, ...routes], trustedProxies });
  });

  afterAll(async () => {
    await server.close();
    await closeApp(app);
    await sandbox?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function send(options: InjectOptions): Promise<ApiResponse> {
    const answer = await server.inject(options);
    // Node sends no body in a response to HEAD, but `inject` returns it.
    const text = options.method === "HEAD" ? "" : answer.body;
    const isJson = /[/+]json/.test(String(answer.headers["content-type"] ?? ""));
    return {
      status: answer.statusCode,
      body: isJson && text !== "" ? JSON.parse(text) : undefined,
      text,
      headers: answer.headers,
    };
  }

  /** Sends a webhook to the server, as the vendor would. */
  function deliver({ vendor, body: payload, headers }: Webhook): Promise<ApiResponse> {
    return send({
      method: "POST",
      url: `${PREFIX}/vendor-webhooks/${vendor}`,
      headers,
      payload,
    });
  }

  /** Creates a key pair for the developer. Returns a client that signs requests with it. */
  async function seedKey(tenantId: TenantId, seed?: KeySeed) {
    const { keyId, apiKey, apiSecret } = await seedKeyPair(app, tenantId, seed);
    return { keyId, ...clientOf(apiKey, apiSecret) };
  }

  function clientOf(apiKey: string, apiSecret: string) {
    const signingKey = sha256Hex(apiSecret);
    const stampsFor = createStamps(clock);

    /** Sends a signed request whose body is exactly `payload`. */
    async function sendRaw(
      method: string,
      path: string,
      payload: string | Buffer | undefined,
      options: SignOptions = {},
    ): Promise<ApiResponse> {
      let response: ApiResponse | undefined;
      for (const timestamp of stampsFor([method, path, payload], options)) {
        response = await sendSigned(method, path, payload, { ...options, timestamp });
        if (response.body?.code !== "signature_replayed") break;
      }
      invariant(response !== undefined, "there is at least one timestamp");
      return response;
    }

    /** Returns the headers of a signed request. */
    function headersFor(
      method: string,
      path: string,
      payload: string | Buffer | undefined,
      { headers = {}, timestamp, nonce, signature, signedPath }: SignOptions = {},
    ): Record<string, string> {
      const stamp = timestamp ?? String(Math.floor(clock.now().getTime() / 1000));
      const bodyHash = sha256Hex(payload ?? "");
      const parts = { timestamp: stamp, method, path: signedPath ?? PREFIX + path, bodyHash };
      return {
        authorization: apiKey,
        ...(payload !== undefined && { "content-type": "application/json" }),
        "x-nonce": nonce ?? randomUUID(),
        "x-request-signature": signature ?? requestSignature(signingKey, parts).toString("hex"),
        "x-timestamp": stamp,
        ...headers,
      };
    }

    const sendSigned = (method: string, path: string, payload: string | Buffer | undefined, options: SignOptions) =>
      send({
        method: method as "GET",
        url: PREFIX + path,
        ...(payload !== undefined && { payload }),
        headers: headersFor(method, path, payload, options),
      });

    const json = (method: string) => (path: string, body?: object, options?: SignOptions) =>
      sendRaw(method, path, body === undefined ? undefined : JSON.stringify(body), options);

    return {
      apiKey,
      apiSecret,
      sendRaw,
      headersFor,
      get: (path: string, options?: SignOptions) => sendRaw("GET", path, undefined, options),
      post: json("POST"),
      put: json("PUT"),
      patch: json("PATCH"),
      delete: (path: string, options?: SignOptions) => sendRaw("DELETE", path, undefined, options),
    };
  }

  /** Creates a verified developer with a live key pair. */
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
    /** The vendor simulators. Throws unless the harness was created with the option `vendors`. */
    get sandbox() {
      invariant(sandbox !== undefined, "a test that uses the sandbox sets the option vendors");
      return sandbox;
    },
    get folder() {
      return folder;
    },
    clock,
    mails,
    /** The webhooks that the simulators have sent, oldest first. None reaches the server without `deliver`. */
    webhooks,
    deliver,
    logLines,
    send,
    /** Sends the emails that are due, as the worker does several times per second. */
    deliverMails: () => relayDueMessages(app),
    seedDeveloper: () => seedDeveloper(app),
    seedKey,
    seedTenant,
    clientOf,
  };
}
