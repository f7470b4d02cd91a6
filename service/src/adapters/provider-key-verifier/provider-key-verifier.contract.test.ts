import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../../../test/vendors/misbehaving-vendor.ts";
import { startTestSandbox, type TestSandbox } from "../../../test/vendors/sandbox.ts";
import { systemClock } from "../../foundation/clock.ts";
import { KEYED_PROVIDERS, type KeyedProvider, MODES, type Mode } from "../../foundation/vocabulary.ts";
import type { KeyCheckResult, ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { createBridgeKeyVerifier } from "./bridge-key-verifier.ts";
import { createFireblocksKeyVerifier } from "./fireblocks-key-verifier.ts";
import { createHeliusKeyVerifier } from "./helius-key-verifier.ts";
import type { KeyVerifierOptions } from "./key-check.ts";
import { createPimlicoKeyVerifier } from "./pimlico-key-verifier.ts";
import { createTurnkeyKeyVerifier } from "./turnkey-key-verifier.ts";

/** All `ProviderKeyVerifier` adapters. */
const ADAPTERS: Readonly<Record<KeyedProvider, Adapter>> = {
  pimlico: {
    open: (options) => createPimlicoKeyVerifier(options),
    name: "Pimlico",
    operation: "rpc",
    required: ["api_key"],
    calls: 2,
  },
  turnkey: {
    open: (options) => createTurnkeyKeyVerifier(options),
    name: "Turnkey",
    operation: "PublicApiService_GetWhoami",
    required: ["organization_id", "api_public_key", "api_private_key"],
  },
  fireblocks: {
    open: (options) => createFireblocksKeyVerifier({ ...options, clock: systemClock }),
    name: "Fireblocks",
    operation: "getSupportedAssets",
    required: ["api_key", "api_secret_pem"],
  },
  bridge: {
    open: (options) => createBridgeKeyVerifier(options),
    name: "Bridge",
    operation: "listCustomers",
    required: ["api_key"],
  },
  helius: {
    open: (options) => createHeliusKeyVerifier(options),
    name: "Helius",
    operation: "rpc",
    required: ["api_key"],
  },
};

interface Adapter {
  readonly open: (options: KeyVerifierOptions) => ProviderKeyVerifier;
  readonly name: string;
  /** The name of the check's call in the vendor's API description. */
  readonly operation: string;
  /** The required credential fields. */
  readonly required: readonly string[];
  /** The number of calls in one check. Default: 1. */
  readonly calls?: number;
}

const UNREACHABLE = { live: "http://127.0.0.1:9", test: "http://127.0.0.1:9" };
/** A timeout that no check reaches, even on a busy machine. */
const LONG_TIMEOUT_MS = 10_000;

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox("http://127.0.0.1:1");
});
afterAll(() => sandbox.close());

interface VerifyOptions {
  readonly url?: string;
  readonly mode?: Mode;
  readonly timeoutMs?: number;
}

async function verify(
  provider: KeyedProvider,
  credentials: ProviderCredentials,
  { url = sandbox[provider].url, mode = "test", timeoutMs = LONG_TIMEOUT_MS }: VerifyOptions = {},
): Promise<KeyCheckResult> {
  // Only the URL for this mode is reachable.
  const verifier = ADAPTERS[provider].open({ apiUrl: { ...UNREACHABLE, [mode]: url }, timeoutMs });
  return verifier.verify(credentials, mode);
}

describe.each(KEYED_PROVIDERS)("keys of %s", (provider) => {
  const validCredentials = () => sandbox[provider].credentials;
  const { name, operation, required, calls = 1 } = ADAPTERS[provider];
  const force = (outcome: "refused" | "slow", delayMs?: number) =>
    sandbox.force({
      vendor: provider,
      operation,
      outcome,
      times: calls,
      ...(delayMs === undefined ? {} : { delayMs }),
    });

  it.each(MODES)("verified: valid keys in %s mode", async (mode) => {
    expect(await verify(provider, validCredentials(), { mode })).toEqual({
      status: "verified",
      detail: null,
    });
    for (const request of sandbox.requests(provider).slice(-calls)) {
      expect(request).toMatchObject({ operation, status: 200 });
      expect(request.valid).not.toBe(false);
      expect(request.headers["user-agent"]).toContain("purser/");
    }
  });

  it("failed: unknown keys", async () => {
    expect(await verify(provider, sandbox[provider].refusedCredentials)).toEqual({
      status: "failed",
      detail: `${name} rejected these keys.`,
    });
  });

  it("failed: keys without the permission for the call", async () => {
    force("refused");
    expect(await verify(provider, validCredentials())).toMatchObject({ status: "failed" });
  });

  it.each(["rate_limited", "error_applied"] as const)("unreachable: %s, after one attempt", async (outcome) => {
    sandbox.force({ vendor: provider, operation, outcome, times: calls });
    const before = sandbox.requests(provider).length;
    const verdict = await verify(provider, validCredentials());
    expect(verdict).toMatchObject({ status: "unreachable" });
    expect(verdict.detail).toContain(name);
    expect(sandbox.requests(provider).length - before).toBe(calls);
  });

  it.each(["timeout_applied", "timeout_lost"] as const)("unreachable: %s", async (outcome) => {
    sandbox.force({ vendor: provider, operation, outcome, times: calls });
    expect(await verify(provider, validCredentials(), { timeoutMs: 300 })).toMatchObject({
      status: "unreachable",
    });
  });

  it("unreachable: a response after the timeout; verified: a slow response", async () => {
    force("slow", 2_000);
    expect(await verify(provider, validCredentials(), { timeoutMs: 200 })).toMatchObject({
      status: "unreachable",
    });
    force("slow", 100);
    expect(await verify(provider, validCredentials())).toMatchObject({ status: "verified" });
  });

  it("unreachable: the connection is refused", async () => {
    expect(await verify(provider, validCredentials(), { url: UNREACHABLE.test })).toEqual({
      status: "unreachable",
      detail: `${name} did not return a usable response.`,
    });
  });

  it("unreachable: a redirect, which is not followed", async () => {
    let visits = 0;
    const elsewhere = await startServer((_request, response) => {
      visits += 1;
      response.end("{}");
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await startServer((_request, response) => {
        response.writeHead(status, { location: elsewhere }).end();
      });
      expect(await verify(provider, validCredentials(), { url })).toMatchObject({
        status: "unreachable",
      });
    }
    expect(visits).toBe(0);
  });

  it.each([
    ["not JSON", "<html>"],
    ["of an unexpected shape", '{"data":7,"result":7,"jsonrpc":"1.0"}'],
    ["longer than 1 MiB", `[${'{"id":"ETH"},'.repeat(100_000)}{"id":"ETH"}]`],
  ])("unreachable: a response that is %s", async (_what, text) => {
    const url = await startServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(text);
    });
    expect(await verify(provider, validCredentials(), { url })).toMatchObject({
      status: "unreachable",
    });
  });

  it.each([
    [400, "failed"],
    [401, "failed"],
    [403, "failed"],
    [404, "failed"],
    [422, "failed"],
    [408, "unreachable"],
    [429, "unreachable"],
    [500, "unreachable"],
    [503, "unreachable"],
  ] as const)("status %i: %s", async (status, verdict) => {
    const url = await startServer((_request, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
    expect(await verify(provider, validCredentials(), { url })).toMatchObject({ status: verdict });
  });

  it("failed: the vendor's error contains the keys; the detail does not", async () => {
    const url = await startServer((request, response) => {
      const repeated = JSON.stringify([Object.values(validCredentials()), request.url, request.headers]);
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ code: "unauthorized", message: repeated, error: repeated }));
    });
    expect(await verify(provider, validCredentials(), { url })).toEqual({
      status: "failed",
      detail: `${name} rejected these keys.`,
    });
  });

  it.each(required)("failed without a call: %s is missing", async (field) => {
    const before = sandbox.requests(provider).length;
    for (const value of [undefined, "", [], ["x"]]) {
      const { [field]: _removed, ...rest } = validCredentials();
      const credentials = value === undefined ? rest : { ...rest, [field]: value };
      const { status, detail } = await verify(provider, credentials);
      expect(status).toBe("failed");
      expect(detail).toContain(field);
    }
    expect(sandbox.requests(provider)).toHaveLength(before);
  });

  it("failed: values that a request cannot contain", async () => {
    const hostile = ["a\r\nx-evil: 1", "\u0000", "\ud800", "ключ", "x".repeat(8_192), "__proto__"];
    for (const value of hostile) {
      const credentials = Object.fromEntries(required.map((field) => [field, value]));
      const verdict = await verify(provider, credentials);
      expect(verdict.status).toBe("failed");
      if (value.length > 1) expect(verdict.detail).not.toContain(value);
    }
  });
});
