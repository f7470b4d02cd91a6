import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../../../test/vendors/sandbox.ts";
import { systemClock } from "../../foundation/clock.ts";
import {
  KEYED_PROVIDERS,
  type KeyedProvider,
  MODES,
  type Mode,
} from "../../foundation/vocabulary.ts";
import type { KeyVerdict, ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { createKeyVerifiers } from "./key-verifiers.ts";

/** Every adapter of the port. Those of a provider are behind `createKeyVerifiers`. */
const ADAPTERS: Readonly<Record<KeyedProvider, Adapter>> = {
  pimlico: { name: "Pimlico", operation: "rpc", required: ["api_key"], questions: 2 },
  turnkey: {
    name: "Turnkey",
    operation: "PublicApiService_GetWhoami",
    required: ["organization_id", "api_public_key", "api_private_key"],
  },
  fireblocks: {
    name: "Fireblocks",
    operation: "getSupportedAssets",
    required: ["api_key", "api_secret_pem"],
  },
  bridge: { name: "Bridge", operation: "listCustomers", required: ["api_key"] },
  helius: { name: "Helius", operation: "rpc", required: ["api_key"] },
};

interface Adapter {
  readonly name: string;
  /** What the keys are tried with, by its name in the vendor's description. */
  readonly operation: string;
  /** The fields without which nobody is asked. */
  readonly required: readonly string[];
  /** How many calls one check is. 1 where absent; Pimlico's bundler is asked two questions. */
  readonly questions?: number;
}

const UNKNOWN_TENANT = { live: "http://127.0.0.1:9", test: "http://127.0.0.1:9" };
const NOBODYS = {
  pimlico: UNKNOWN_TENANT,
  turnkey: UNKNOWN_TENANT,
  fireblocks: UNKNOWN_TENANT,
  bridge: UNKNOWN_TENANT,
  helius: UNKNOWN_TENANT,
};
/** Longer than any of these tests takes when the machine is busy. */
const PATIENT_MS = 10_000;

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox("http://127.0.0.1:1");
});
afterAll(() => sandbox.close());

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return `http://127.0.0.1:${address.port}`;
}

interface Asked {
  readonly url?: string;
  readonly mode?: Mode;
  readonly timeoutMs?: number;
}

async function verify(
  provider: KeyedProvider,
  credentials: ProviderCredentials,
  { url = sandbox[provider].url, mode = "test", timeoutMs = PATIENT_MS }: Asked = {},
): Promise<KeyVerdict> {
  // Nobody is where the other mode's keys are tried, nor where the other vendors' are.
  const apiUrls = { ...NOBODYS, [provider]: { ...UNKNOWN_TENANT, [mode]: url } };
  const verifier = createKeyVerifiers({ apiUrls, clock: systemClock, timeoutMs }).get(provider);
  if (verifier === undefined) throw new Error(`No verifier of ${provider}'s keys.`);
  return verifier.verify(credentials, mode);
}

describe("the verifiers of keys", () => {
  it("are there for every provider whose keys are kept", () => {
    const verifiers = createKeyVerifiers({ apiUrls: NOBODYS, clock: systemClock });
    expect([...verifiers.keys()].toSorted()).toEqual(KEYED_PROVIDERS.toSorted());
  });
});

describe.each(KEYED_PROVIDERS)("a set of keys of %s", (provider) => {
  const good = () => sandbox[provider].credentials;
  const { name, operation, required, questions = 1 } = ADAPTERS[provider];
  const force = (outcome: "refused" | "slow", delayMs?: number) =>
    sandbox.force({
      vendor: provider,
      operation,
      outcome,
      times: questions,
      ...(delayMs === undefined ? {} : { delayMs }),
    });

  it.each(MODES)("verified: those that the vendor takes, in %s mode", async (mode) => {
    expect(await verify(provider, good(), { mode })).toEqual({ status: "verified", detail: null });
    for (const request of sandbox.requests(provider).slice(-questions)) {
      expect(request).toMatchObject({ operation, status: 200 });
      expect(request.valid).not.toBe(false);
      expect(request.headers["user-agent"]).toContain("purser/");
    }
  });

  it("failed: those that the vendor does not know", async () => {
    expect(await verify(provider, sandbox[provider].refusedCredentials)).toEqual({
      status: "failed",
      detail: `${name} refused these keys.`,
    });
  });

  it("failed: those that may not do what they are tried with", async () => {
    force("refused");
    expect(await verify(provider, good())).toMatchObject({ status: "failed" });
  });

  it.each(["rate_limited", "error_applied"] as const)(
    "unreachable: %s, and asked but once",
    async (outcome) => {
      sandbox.force({ vendor: provider, operation, outcome, times: questions });
      const before = sandbox.requests(provider).length;
      const verdict = await verify(provider, good());
      expect(verdict).toMatchObject({ status: "unreachable" });
      expect(verdict.detail).toContain(name);
      expect(sandbox.requests(provider).length - before).toBe(questions);
    },
  );

  it.each(["timeout_applied", "timeout_lost"] as const)("unreachable: %s", async (outcome) => {
    sandbox.force({ vendor: provider, operation, outcome, times: questions });
    expect(await verify(provider, good(), { timeoutMs: 300 })).toMatchObject({
      status: "unreachable",
    });
  });

  it("unreachable: an answer that comes too late, and verified by one that is only slow", async () => {
    force("slow", 2_000);
    expect(await verify(provider, good(), { timeoutMs: 200 })).toMatchObject({
      status: "unreachable",
    });
    force("slow", 100);
    expect(await verify(provider, good())).toMatchObject({ status: "verified" });
  });

  it("unreachable: nobody there", async () => {
    expect(await verify(provider, good(), { url: UNKNOWN_TENANT.test })).toEqual({
      status: "unreachable",
      detail: `${name} could not be asked.`,
    });
  });

  it("unreachable: sent elsewhere, where nobody goes", async () => {
    let visits = 0;
    const elsewhere = await startServer((_request, response) => {
      visits += 1;
      response.end("{}");
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await startServer((_request, response) => {
        response.writeHead(status, { location: elsewhere }).end();
      });
      expect(await verify(provider, good(), { url })).toMatchObject({ status: "unreachable" });
    }
    expect(visits).toBe(0);
  });

  it.each([
    ["no JSON", "<html>"],
    ["of another shape", '{"data":7,"result":7,"jsonrpc":"1.0"}'],
    ["longer than a mebibyte", `[${'{"id":"ETH"},'.repeat(100_000)}{"id":"ETH"}]`],
  ])("unreachable: an answer that is %s", async (_what, text) => {
    const url = await startServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(text);
    });
    expect(await verify(provider, good(), { url })).toMatchObject({ status: "unreachable" });
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
  ] as const)("by the status %i: %s", async (status, verdict) => {
    const url = await startServer((_request, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
    expect(await verify(provider, good(), { url })).toMatchObject({ status: verdict });
  });

  it("failed: refused by a vendor that quotes the keys, which are not repeated", async () => {
    const url = await startServer((request, response) => {
      const told = JSON.stringify([Object.values(good()), request.url, request.headers]);
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ code: "unauthorized", message: told, error: told }));
    });
    expect(await verify(provider, good(), { url })).toEqual({
      status: "failed",
      detail: `${name} refused these keys.`,
    });
  });

  it.each(required)("failed: without %s, and the vendor is not asked", async (field) => {
    const before = sandbox.requests(provider).length;
    for (const value of [undefined, "", [], ["x"]]) {
      const { [field]: _gone, ...rest } = good();
      const credentials = value === undefined ? rest : { ...rest, [field]: value };
      const { status, detail } = await verify(provider, credentials);
      expect(status).toBe("failed");
      expect(detail).toContain(field);
    }
    expect(sandbox.requests(provider)).toHaveLength(before);
  });

  it("failed: values that no request can hold", async () => {
    const hostile = ["a\r\nx-evil: 1", "\u0000", "\ud800", "ключ", "x".repeat(8_192), "__proto__"];
    for (const value of hostile) {
      const credentials = Object.fromEntries(required.map((field) => [field, value]));
      const verdict = await verify(provider, credentials);
      expect(verdict.status).toBe("failed");
      if (value.length > 1) expect(verdict.detail).not.toContain(value);
    }
  });
});
