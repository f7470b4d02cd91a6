import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type LogFacts, Purser, PurserError, type PurserOptions, VERSION } from "../src/index.ts";
import { API_KEY, API_SECRET, useTestServer } from "./test-server.ts";

const AGENT = "6f1c1c2e-8a57-4c7e-9a57-0f5a3c0e7d11";
const OTHER_AGENT = "0b7e1f60-3c55-4a4e-8f0a-5f3a2a9d7e22";

describe("new Purser()", () => {
  const test = useTestServer();
  afterEach(() => vi.unstubAllEnvs());

  it("reads key pair, agent, base URL and log level from the environment", async () => {
    vi.stubEnv("PURSER_API_KEY", API_KEY);
    vi.stubEnv("PURSER_API_SECRET", API_SECRET);
    vi.stubEnv("PURSER_AGENT_ID", AGENT);
    vi.stubEnv("PURSER_BASE_URL", test.server.baseUrl);
    vi.stubEnv("PURSER_LOG", "debug");
    const lines: string[] = [];
    const write = (message: string) => void lines.push(message);

    const purser = new Purser({
      clock: test.clock,
      logger: { debug: write, info: write, warn: write },
    });
    await purser.developers.me();

    expect(purser.mode).toBe("test");
    expect(test.server.received).toMatchObject([
      { path: "/api/v1/svc/developers/me", isSigned: true, headers: { "x-agent-id": AGENT } },
    ]);
    expect(lines).toContain("GET /api/v1/svc/developers/me");
  });

  it("prefers options to the environment, and an access token to the environment's key pair", async () => {
    vi.stubEnv("PURSER_API_KEY", API_KEY);
    vi.stubEnv("PURSER_API_SECRET", API_SECRET);
    vi.stubEnv("PURSER_AGENT_ID", AGENT);

    const purser = test.client({ session: "a.b.c", mode: "live", agentId: OTHER_AGENT });
    await purser.developers.me();

    expect(test.server.received[0]?.headers).toMatchObject({
      authorization: "Bearer a.b.c",
      "x-svc-mode": "live",
      "x-agent-id": OTHER_AGENT,
    });
    expect(test.server.received[0]?.headers["x-request-signature"]).toBeUndefined();
  });

  it.each<[string, PurserOptions, string]>([
    ["a missing base URL", { baseUrl: "" }, "Pass `baseUrl` or set PURSER_BASE_URL"],
    ["a base URL with a path", { baseUrl: "https://a.example/api" }, "must be an origin"],
    ["a base URL that is not http or https", { baseUrl: "ftp://a.example" }, "must be an origin"],
    ["a secret without a key", { apiSecret: API_SECRET }, "pass `apiKey` or set PURSER_API_KEY"],
    ["a key without a secret", { apiKey: API_KEY }, "pass `apiSecret` or set PURSER_API_SECRET"],
    ["swapped key and secret", { apiKey: API_SECRET, apiSecret: API_KEY }, "not an API key"],
    [
      "key and secret of different modes",
      { apiKey: API_KEY, apiSecret: API_SECRET.replace("test", "live") },
      "The API key is for test mode, but the API secret is for live mode.",
    ],
  ])("throws for %s", (_name, options, expected) => {
    const message = messageOf(() => new Purser({ baseUrl: "http://127.0.0.1:1", ...options }));

    expect(message).toContain(expected);
    expect(message).not.toMatch(/kkkk|ssss/);
  });

  it("throws for an unknown log level", () => {
    vi.stubEnv("PURSER_LOG", "loud");

    expect(() => new Purser({ baseUrl: "http://127.0.0.1:1" })).toThrow("PURSER_LOG");
  });

  it("warns about a live key if NODE_ENV is test, and about http to a remote host", () => {
    const warnings: string[] = [];
    const options = {
      apiKey: API_KEY.replace("test", "live"),
      apiSecret: API_SECRET.replace("test", "live"),
      logger: {
        debug: () => {},
        info: () => {},
        warn: (message: string) => void warnings.push(message),
      },
    };

    new Purser({ ...options, baseUrl: "http://purser.example.com" });
    new Purser({ apiKey: API_KEY, apiSecret: API_SECRET, baseUrl: "http://localhost:1" });

    expect(warnings).toEqual([expect.stringContaining("live API key"), expect.stringContaining("not encrypted")]);
  });

  it("does not show credentials when it is printed, inspected or serialized", async () => {
    const secrets = /svc_s[ks]_|kkkk|ssss|eyJtoken|[0-9a-f]{64}/;
    const clients = [
      test.signedClient(),
      test.client({ session: "eyJtoken", mode: "test" }),
      test.signedClient().withAgent(AGENT),
    ];

    for (const purser of clients) {
      await purser.developers.me();
      const shown = inspect(purser, { depth: null, showHidden: true, getters: true });
      expect(shown).toContain("developers");
      expect(shown).not.toMatch(secrets);
      expect(JSON.stringify(purser)).not.toMatch(secrets);
      expect(`${purser}`).not.toMatch(secrets);
    }
  });

  it("logs requests without keys, signatures, queries and bodies", async () => {
    const lines: string[] = [];
    const write = (message: string, facts?: LogFacts) => void lines.push(`${message} ${JSON.stringify(facts)}`);
    const logging = {
      logLevel: "debug",
      logger: { debug: write, info: write, warn: write },
    } as const;

    await test.signedClient(logging).projects.create({ name: "a-body" });
    await test.client({ ...logging, session: "eyJtoken", mode: "test" }).developers.me();
    await test.client(logging).developers.verifyEmail({ token: "mailed-token" });

    const log = lines.join("\n");
    expect(log).toContain("POST /api/v1/svc/projects returned 200");
    expect(log).toContain('"authorization":"[redacted]"');
    expect(log).toContain("idempotency-key");
    expect(log).not.toMatch(/svc_s[ks]_|eyJtoken|mailed-token|a-body|[0-9a-f]{64}/);
  });

  it("has the version of package.json", () => {
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

    expect(VERSION).toBe(manifest.version);
  });
});

describe("withAgent", () => {
  const test = useTestServer();

  it("returns a client for the agent and does not change the original client", async () => {
    const purser = test.signedClient({ agentId: AGENT });

    await purser.withAgent(OTHER_AGENT).developers.me();
    await purser.developers.me();
    await purser.developers.me({ agentId: OTHER_AGENT });

    expect(test.server.received.map(({ headers }) => headers["x-agent-id"])).toEqual([OTHER_AGENT, AGENT, OTHER_AGENT]);
  });
});

describe("credentials", () => {
  const test = useTestServer();

  it("are not sent to public routes", async () => {
    const body = { email: "a@example.com", password: "correct horse battery" };

    await test.signedClient({ session: "a.b.c", mode: "test", agentId: AGENT }).developers.logIn(body);

    const [received] = test.server.received;
    expect(received?.headers["authorization"]).toBeUndefined();
    expect(received?.headers["x-request-signature"]).toBeUndefined();
    expect(received?.headers["x-agent-id"]).toBeUndefined();
  });

  it("are the key pair for tenant routes and the access token for dashboard routes", async () => {
    const purser = test.signedClient({ session: "a.b.c" });

    await purser.developers.me();
    await purser.developers.getDashboardProfile();

    expect(test.server.received).toMatchObject([
      { isSigned: true, headers: { authorization: API_KEY } },
      { isSigned: false, headers: { authorization: "Bearer a.b.c" } },
    ]);
  });

  it.each<[string, PurserOptions, (purser: Purser) => PromiseLike<unknown>, string]>([
    ["a tenant route", {}, (purser) => purser.developers.me(), "PURSER_API_KEY"],
    ["a dashboard route", {}, (purser) => purser.developers.register(), "`session`"],
    [
      "an env pull with an access token",
      { session: "a.b.c", mode: "test" },
      (purser) => purser.projects.env.pull("proj_1"),
      "PURSER_API_SECRET",
    ],
    [
      "a tenant route with an access token without a mode",
      { session: "a.b.c" },
      (purser) => purser.developers.me(),
      "pass `mode`",
    ],
  ])("throws and sends nothing if a credential is missing: %s", async (_name, options, call, expected) => {
    const purser = test.client(options);

    await expect(Promise.resolve(call(purser))).rejects.toThrow(expected);

    expect(test.server.received).toEqual([]);
  });
});

function messageOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    return error instanceof PurserError ? error.message : "";
  }
  return "";
}
