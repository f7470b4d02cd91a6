import { rm } from "node:fs/promises";
import { join } from "node:path";
import { startLocalChain } from "@purser/contracts/chain/local-chain.ts";
import { localChainOf } from "@purser/contracts/chain/local-network.ts";
import { adminCommand } from "@purser/service/bin/admin-command.ts";
import type { Check } from "@purser/service/compose/doctor/check.ts";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAsOperator, runInProcess } from "../../service/test/run-command.ts";
import { startSmtpServer } from "../../service/test/smtp-server.ts";
import { startTestSandbox, type TestSandbox } from "../../service/test/vendors/sandbox.ts";
import { type OwnPostgres, startOwnPostgres } from "../src/own-postgres.ts";
import { until } from "../src/until.ts";
import { vendorEnvironment } from "../src/vendor-environment.ts";
import { query, useDeployment, useRedis } from "./fixtures.ts";

/** A database and a Redis that are down are known within this time. */
const FAST_MS = 5_000;
const NETWORK = "base-sepolia";
const CHAIN_ID = 84_532;

const redis = await useRedis();

describe.skipIf(redis.missing)("npm run admin -- doctor", () => {
  let postgres: OwnPostgres;
  let sandbox: TestSandbox;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    sandbox = await startTestSandbox("http://purser.test");
  });
  afterAll(async () => {
    await sandbox.close();
    await postgres.remove();
  });

  const deployment = useDeployment(() => ({ databaseUrl: postgres.serviceUrl, redisUrl: redis.url }));

  const environment = (changes: Readonly<Record<string, string>>) =>
    deployment.environment({
      ...vendorEnvironment(sandbox),
      ...sandbox.environment,
      PII_DATABASE_URL: postgres.piiUrl,
      ...changes,
    });

  async function examine(changes: Readonly<Record<string, string>> = {}) {
    const mail = await startSmtpServer();
    const options = { databaseUrl: postgres.serviceUrl, folder: deployment.folder };
    const ended = await runInProcess(adminCommand, ["doctor", "--json"], {
      ...options,
      environment: environment({ SMTP_URL: mail.url, ...changes }),
    });
    const { ok, checks }: { ok: boolean; checks: Check[] } = JSON.parse(ended.stdout);
    expect(ended.code).toBe(ok ? 0 : 1);
    return { ok, checks, troubles: checks.filter(({ status }) => status !== "ok") };
  }
  const asSuperuser = (text: string) => query(postgres.superuserUrl, text);
  async function onRedis(...settings: readonly [name: string, value: string][]) {
    const client = new Redis(redis.url);
    for (const [name, value] of settings) await client.config("SET", name, value);
    client.disconnect();
  }

  it("exit code 0 and no warning: everything is as it should be", async () => {
    await deployment.seedTenant();
    await onRedis(["maxmemory-policy", "noeviction"], ["appendonly", "yes"]);

    const { ok, checks, troubles } = await examine();

    expect(troubles).toEqual([]);
    expect(ok).toBe(true);
    expect(checks.map(({ check }) => check)).toEqual([
      "configuration",
      "database clock",
      "database version",
      "database role",
      "database durability",
      "database isolation",
      "database connections",
      "migrations",
      "database of personal data",
      "Redis clock",
      "Redis version",
      "Redis eviction",
      "Redis persistence",
      "key encryption key",
      "data keys",
      "audit signature",
      "audit anchor",
      "audit anchoring",
      "mail server",
      "Stripe, live mode",
      "Bridge, live mode",
      "Plaid, live mode",
      "Stripe, test mode",
      "Bridge, test mode",
      "Plaid, test mode",
      "Pimlico",
      "Turnkey",
    ]);
  });

  it("prints one line for each check, how to mend each fault, and no secret", async () => {
    const ended = await runAsOperator("admin.ts", ["doctor"], {
      databaseUrl: postgres.serviceUrl,
      folder: deployment.folder,
      environment: environment({ STRIPE_SECRET_KEY: newSecrets().STRIPE_SECRET_KEY }),
    });

    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^ok {7}configuration: test, api and worker\n/);
    expect(ended.stdout).toMatch(/^fault {4}mail server: connect ECONNREFUSED 127.0.0.1:9\n {9}Check SMTP_URL, /m);
    expect(ended.stdout).toMatch(/^fault {4}Stripe, live mode: .*\n {9}Check STRIPE_SECRET_KEY, /m);
    expect(ended.stderr).toMatch(/^\d of \d+ checks found a fault\.\n$/);
    expect(deployment.secretsShownBy({ log: () => ended.stderr, output: () => ended.stdout } as never)).toEqual([]);
  });

  it.each([
    ["PURSER_STATEMENT_KEY", "none", "configuration", "PURSER_STATEMENT_KEY is not"],
    ["STRIPE_SECRET_KEY", newSecrets().STRIPE_SECRET_KEY, "Stripe, live mode", "unauthorized"],
    ["BRIDGE_TEST_API_KEY", "sk-test-unknown", "Bridge, test mode", "rejected these keys"],
    ["PLAID_SECRET", "0123456789abcdef0123456789abcd", "Plaid, live mode", "unauthorized"],
    ["PIMLICO_API_KEY", "unknown_key", "Pimlico", "rejected these keys"],
    ["TURNKEY_API_PRIVATE_KEY", "1".repeat(64), "Turnkey", "rejected these keys"],
    ["PURSER_KEY_ENCRYPTION_KEY", newSecrets().PURSER_KEY_ENCRYPTION_KEY, "data keys", "is not configured"],
    ["PURSER_AUDIT_ANCHOR_FILE", "/nowhere/anchor", "audit anchor", "ENOENT"],
    ["SMTP_URL", "smtp://127.0.0.1:9", "mail server", "ECONNREFUSED"],
  ])("a fault, with what to do: %s is wrong", async (variable, value, check, detail) => {
    const { ok, troubles } = await examine({ [variable]: value });

    expect(ok).toBe(false);
    expect(troubles).toEqual([
      { check, status: "fault", detail: expect.stringContaining(detail), fix: expect.stringMatching(/\w/) },
    ]);
  });

  it("a fault: the login is a superuser, or the owner", async () => {
    for (const [url, problem] of [
      [postgres.superuserUrl, "is a superuser"],
      [postgres.ownerUrl, "owns the database"],
    ] as const) {
      const { troubles } = await examine({ DATABASE_URL: url });
      expect(troubles).toContainEqual(
        expect.objectContaining({ check: "database role", status: "fault", detail: expect.stringContaining(problem) }),
      );
    }
  });

  const reset = "alter role service reset all";
  it.each([
    ["alter role service set synchronous_commit = off", reset, "database durability"],
    ["alter role service set default_transaction_isolation = 'serializable'", reset, "database isolation"],
    ["alter role service set default_transaction_read_only = on", reset, "database isolation"],
    [
      "update schema_migrations set name = name || '.removed' where name like '0026%'",
      "update schema_migrations set name = replace(name, '.removed', '')",
      "migrations",
    ],
    ["grant purser_pii to service", "revoke purser_pii from service", "database role"],
    ["revoke purser_pii from pii", "grant purser_pii to pii", "database of personal data"],
  ])("a fault in the database: %s", async (change, undo, check) => {
    await asSuperuser(change);
    const { troubles } = await examine();
    await asSuperuser(undo);

    expect(troubles.map((trouble) => [trouble.check, trouble.status])).toContainEqual([check, "fault"]);
    expect((await examine()).troubles).toEqual([]);
  });

  it("a fault: PostgreSQL allows fewer connections than a process opens; a warning: than two open", async () => {
    const status = async (connections: string) =>
      (await examine({ DATABASE_CONNECTIONS_MAX: connections })).troubles.map((one) => [one.check, one.status]);

    expect(await status("1000")).toEqual([["database connections", "fault"]]);
    expect(await status("60")).toEqual([["database connections", "warning"]]);
  });

  it("a fault: Redis evicts keys; a warning: it forgets everything when it restarts", async () => {
    await onRedis(["maxmemory-policy", "allkeys-lru"], ["appendonly", "no"]);

    const { troubles } = await examine();
    await onRedis(["maxmemory-policy", "noeviction"], ["appendonly", "yes"]);

    expect(troubles.map(({ check, status, detail }) => [check, status, detail])).toEqual([
      ["Redis eviction", "fault", "maxmemory-policy allkeys-lru"],
      ["Redis persistence", "warning", "appendonly no"],
    ]);
  });

  it("a fault: the anchor lacks what was anchored, or what is written is not anchored", async () => {
    const server = await deployment.start({ PURSER_ROLES: "api,worker" });
    const anchored = "select sequence from audit_anchorings where tenant_id = 'sys_operator'";
    await runInProcess(adminCommand, ["create", "--email", "ada@purser.test"], {
      databaseUrl: postgres.serviceUrl,
      folder: deployment.folder,
      environment: environment({}),
    });
    await until("the operators' trail is anchored", async () => (await asSuperuser(anchored)).at(0), 20_000);
    await server.stop();
    expect((await examine()).troubles).toEqual([]);

    expect((await examine({ PURSER_STATEMENT_KEY: newSecrets().PURSER_STATEMENT_KEY })).troubles).toMatchObject([
      { check: "audit signature", status: "fault" },
    ]);

    await rm(join(deployment.folder, "audit-anchor.jsonl"));
    expect((await examine()).troubles).toMatchObject([{ check: "audit anchor", status: "fault" }]);

    await asSuperuser("update audit_heads set anchored_sequence = 0");
    await asSuperuser(
      "begin; set local session_replication_role = replica; update audit_entries set occurred_at = now() - interval '1 hour'; commit",
    );
    expect((await examine()).troubles.map(({ check }) => check)).toContain("audit anchoring");
  }, 60_000);

  it("a fault: a node is of another chain, has only old blocks, or is stopped", async () => {
    const chains = await Promise.all([
      startLocalChain([], localChainOf("base", 8_453)),
      startLocalChain(["--timestamp", "1700000000"], localChainOf(NETWORK, CHAIN_ID)),
      startLocalChain([], localChainOf(NETWORK, CHAIN_ID)),
    ]);
    const [other, old, good] = chains.map(({ rpcUrl }) => rpcUrl);
    const nodes = async (...urls: (string | undefined)[]) =>
      (await examine({ PURSER_RPC_URLS: `${NETWORK} ${urls.join(" ")}` })).checks
        .filter(({ check }) => check.startsWith("node of"))
        .map(({ status, detail }) => [status, detail]);

    expect(await nodes(other, good)).toEqual([
      ["fault", "belongs to chain 8453"],
      ["ok", expect.stringContaining("s old")],
    ]);
    expect(await nodes(old)).toEqual([["fault", expect.stringMatching(/^block \d+ is \d{8} s old$/)]]);
    for (const chain of chains) await chain.stop();
    expect(await nodes(good)).toEqual([["fault", expect.stringContaining("ECONNREFUSED")]]);
  }, 60_000);

  it("one fault for each: the database and Redis are down; the other checks go on, and all ends soon", async () => {
    await postgres.kill();
    await redis.kill("SIGKILL");
    const startedAtMs = performance.now();

    const { checks, troubles } = await examine();

    expect(performance.now() - startedAtMs).toBeLessThan(FAST_MS);
    const faults = troubles.map(({ check, status, detail }) => [check, status, detail]);
    expect(checks.map(({ check }) => check)).not.toContain("data keys");
    expect(faults).toContainEqual(["database", "fault", expect.stringContaining("ECONNREFUSED")]);
    expect(faults).toContainEqual(["Redis", "fault", expect.stringContaining("ECONNREFUSED")]);
    expect(checks.filter(({ check }) => check.startsWith("Stripe")).map(({ status }) => status)).toEqual(["ok", "ok"]);
  });
});
