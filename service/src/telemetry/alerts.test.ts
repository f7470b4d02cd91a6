import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { slugOf } from "../../../docs/slug.ts";
import { appendEntries, createDatabaseAttacker } from "../../test/audit-trail.ts";
import { failingFastState } from "../../test/fast-state/failing-fast-state.ts";
import { useHarness } from "../../test/harness.ts";
import { seedWallet } from "../../test/ledger-accounts.ts";
import { seedOperation } from "../../test/project-seeds.ts";
import { checkRules, isPromtoolMissing, runPromtool } from "../../test/telemetry/promtool.ts";
import { samplesOf } from "../../test/telemetry/scrape.ts";
import { createVendorClient } from "../adapters/http-client/vendor-client.ts";
import { chainAllPendingEntries } from "../audit/chains/chain-pending-entries.ts";
import { openDatabase } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import { scheduleWork } from "../due-work/due-work.ts";
import { NO_RETRY } from "../foundation/retry.ts";
import { revokeTokens } from "../modules/links/revocations/revoke-tokens.ts";
import { anchorAudit } from "../workflows/anchor-audit.ts";
import { checkLedger } from "../workflows/check-ledger.ts";
import { type MetricsServer, serveMetrics } from "./serve-metrics.ts";

const promtoolMissing = await isPromtoolMissing();
const RULES = fileURLToPath(new URL("../../../deploy/prometheus/alerts.yaml", import.meta.url));
const BOARD = new URL("../../../deploy/grafana/purser.json", import.meta.url);
const RUNBOOK = new URL("../../../docs/operate/alerts.md", import.meta.url);
const ALERTS = [...readFileSync(RULES, "utf8").matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name = ""]) => name);
/** How long each scrape lasts in a test of a rule, in minutes: longer than each rule waits. */
const LASTS = 15;

/** Scrapes as Prometheus does: with the labels of the target, and `up`. */
async function scrape(url: string): Promise<ReadonlyMap<string, string>> {
  const text = await fetch(url).then(
    (response) => response.text(),
    () => undefined,
  );
  const target = 'job="purser",instance="one"';
  const used = samplesOf(text ?? "").filter(({ name }) => name.startsWith("purser_") && !/_(bucket|sum)$/.test(name));
  const series = used.map(({ name, labels, value }) => {
    const own = labels === "" ? "" : `${labels.slice(1, -1)},`;
    return [`${name}{${own}${target}}`, value] as const;
  });
  return new Map([...series, [`up{${target}}`, text === undefined ? "0" : "1"]]);
}

/**
 * Expects that the alert does not fire while the first scrape lasts, and fires after the last one. The scrapes between them
 * last a minute, so that rates see the last increase.
 */
async function expectToFire(alert: string, scrapes: readonly ReadonlyMap<string, string>[]): Promise<void> {
  const last = scrapes.length - 1;
  const valuesOf = (series: string) =>
    scrapes.map((each, at) => {
      const samples = at > 0 && at < last ? 1 : LASTS;
      const value = each.get(series);
      return value === undefined ? `_x${samples}` : `${value}+0x${samples - 1}`;
    });
  const names = new Set(scrapes.flatMap((each) => [...each.keys()]));
  const input_series = [...names].map((series) => ({ series, values: valuesOf(series).join(" ") }));
  const firing = `count(ALERTS{alertname="${alert}", alertstate="firing"}) > bool 0`;
  const promql_expr_test = [
    { expr: firing, eval_time: `${LASTS - 1}m`, exp_samples: [] },
    {
      expr: `max_over_time((${firing})[${LASTS}m:1m])`,
      eval_time: `${2 * LASTS + last - 2}m`,
      exp_samples: [{ labels: "{}", value: 1 }],
    },
  ];
  const tests = [{ interval: "1m", input_series, promql_expr_test }];
  await runPromtool(["test", "rules"], { rule_files: [RULES], evaluation_interval: "1m", tests });
}

describe.skipIf(promtoolMissing)("alert rules", () => {
  const fastState = failingFastState();
  const harness = useHarness({ replace: fastState.replace });
  let server: MetricsServer;
  const tested = new Set<string>();
  beforeAll(async () => {
    server = await serveMetrics(harness.app, { host: "127.0.0.1", port: 0, stateKeptMs: 0 });
  });
  afterAll(() => server.close());

  /** Expects that none of the causes fires the alert before they happen, and that it fires after the last. */
  async function expectCaused(alert: string, ...causes: readonly (() => Promise<unknown>)[]): Promise<void> {
    tested.add(alert);
    const scrapes = [await scrape(server.url)];
    for (const cause of causes) {
      await cause();
      scrapes.push(await scrape(server.url));
    }
    await expectToFire(alert, scrapes);
  }
  const superuser = async (text: string) => {
    const client = new Client({ connectionString: harness.database.superuserUrl });
    await client.connect();
    await client.query(`set session_replication_role = replica; ${text}`);
    await client.end();
  };
  const passMinutes = (minutes: number) => harness.clock.advanceSeconds(60 * minutes);

  it("PurserServerErrors and PurserFastStateFailing: the fast state fails", async () => {
    const { get } = await harness.seedTenant();
    const fail = () => fastState.while("admit", () => Promise.all([1, 2, 3].map(() => get("/developers/me"))));

    await expectCaused("PurserServerErrors", fail, fail);
    await expectCaused("PurserFastStateFailing", fail, fail);
  });

  it("PurserDueWorkLate: work is due, and no worker runs", async () => {
    const tenantId = await harness.seedDeveloper();
    await expectCaused("PurserDueWorkLate", async () => {
      const item = { tenantId, subject: "one", dueAt: harness.clock.now() };
      await withTransaction(harness.app.db, tenantId, (tx) => scheduleWork(tx, revokeTokens, item));
      passMinutes(6);
    });
  });

  it("PurserAuditLinkingLate: entries are written, and no worker adds them to their chains", async () => {
    await chainAllPendingEntries(harness.app);
    await expectCaused("PurserAuditLinkingLate", async () => {
      await (await harness.seedTenant()).post("/agents", { name: "one" });
      passMinutes(2);
    });
  });

  it("PurserAuditNotAnchored: the anchor does not answer", async () => {
    await chainAllPendingEntries(harness.app);
    await anchorAudit(harness.app);
    const fail = () => Promise.reject(new Error("the anchor is down"));
    const auditAnchor = { ...harness.app.auditAnchor, publish: fail, latest: fail };
    await expectCaused("PurserAuditNotAnchored", async () => {
      await (await harness.seedTenant()).post("/agents", { name: "one" });
      await chainAllPendingEntries(harness.app);
      passMinutes(16);
      await anchorAudit({ ...harness.app, auditAnchor });
    });
  });

  it("PurserAuditMismatch: someone changes an entry in the database", async () => {
    const { tenantId } = await harness.seedTenant();
    const key = { tenantId, chain: "tenant" } as const;
    await appendEntries(harness.app.db, key, { count: 3 });
    await chainAllPendingEntries(harness.app);
    await expectCaused("PurserAuditMismatch", async () => {
      const attacker = await createDatabaseAttacker(harness.database.superuserUrl, key);
      await attacker.tamper(`update audit_entries set facts = '{}' where ${attacker.own}`);
      await attacker.end();
      await anchorAudit(harness.app);
    });
  });

  it("PurserMoneyMismatch: someone changes a balance in the database", async () => {
    const tenantId = await harness.seedDeveloper();
    const { usdc } = await seedWallet(harness.app, tenantId, 1_000n);
    await expectCaused("PurserMoneyMismatch", async () => {
      await superuser(`update ledger_accounts set posted = posted + 1 where account_id = '${usdc}'`);
      passMinutes(61);
      await checkLedger(harness.app);
    });
  });

  it("PurserVendorFailing: a vendor cannot be reached", async () => {
    const baseUrl = "http://127.0.0.1:9";
    const { call } = createVendorClient({ vendor: "neon", baseUrl, readRetry: NO_RETRY });
    const fail = async () => {
      const read = { operation: "listProjects", method: "GET", path: "/projects", schema: Type.Object({}) } as const;
      for (let calls = 0; calls < 8; calls += 1) await call(read).catch(() => {});
    };

    await expectCaused("PurserVendorFailing", fail, fail);
  });

  it("PurserNetworkNotRead: a network is in use, and no worker reads it", async () => {
    await superuser(
      `insert into network_cursors (network, started_block, block_number, block_hash, final_number, final_hash, read_at,
         balances_checked_at, created_at) select 'base', 1, 12, 'h', 10, 'h', t, t, t
         from (select '${harness.clock.now().toISOString()}'::timestamptz as t) as now`,
    );
    await expectCaused("PurserNetworkNotRead", async () => passMinutes(3));
  });

  it("PurserOperationsNeedOperator: an operation could not be undone", async () => {
    const { tenantId, post } = await harness.seedTenant();
    const projectId = (await post("/projects", { name: "one" })).body.project_id;
    await expectCaused("PurserOperationsNeedOperator", () =>
      seedOperation(harness.app, { tenantId, mode: "live", projectId, status: "needs_operator" }),
    );
  });

  it("PurserOperatorActionRequired: something is logged that does not mend itself", async () => {
    const alert = "PurserOperatorActionRequired";
    harness.app.log.error({ network: "base" }, "the paymaster has no deposit: operator action required");
    const after = await scrape(server.url);
    const before = new Map(after).set('purser_operator_alarms_total{job="purser",instance="one"}', "0");
    await expectToFire(alert, [before, after]);
    // The process was not scraped before its first alarm.
    await expectToFire(alert, [await scrape("http://127.0.0.1:9"), after]);
    tested.add(alert);
  });

  it("PurserDatabaseUnreachable: the database does not answer", async () => {
    const timeouts = { connectTimeoutMs: 200, statementTimeoutMs: 200, readTimeoutMs: 200, onError: () => {} };
    const connectionsMax = { requests: 1, authentication: 1, jobs: 1 };
    const db = openDatabase({ url: "postgres://purser@127.0.0.1:9/none", connectionsMax, ...timeouts });
    const down = await serveMetrics({ ...harness.app, db }, { host: "127.0.0.1", port: 0 });

    await expectToFire("PurserDatabaseUnreachable", [await scrape(server.url), await scrape(down.url)]);

    tested.add("PurserDatabaseUnreachable");
    await down.close();
    await db.destroy();
  });

  it("PurserDown: the process has stopped", async () => {
    await expectCaused("PurserDown", () => server.close());
  });

  it("each rule was tested", () => {
    expect([...tested].toSorted()).toEqual(ALERTS.toSorted());
  });
});

describe("the files for operators", () => {
  it.skipIf(promtoolMissing)("promtool accepts the rules", async () => {
    expect(await checkRules(RULES)).toContain(`${ALERTS.length} rules found`);
  });

  it("each alert has a section of the runbook, to which it points", () => {
    const headings = [...readFileSync(RUNBOOK, "utf8").matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
    const urls = [...readFileSync(RULES, "utf8").matchAll(/runbook_url: (\S+)$/gm)].map(([, url = ""]) => new URL(url));

    expect(headings).toEqual(ALERTS);
    expect(urls.map(({ pathname }) => pathname)).toEqual(ALERTS.map(() => "/docs/operate/alerts"));
    expect(urls.map(({ hash }) => hash)).toEqual(ALERTS.map((alert) => `#${slugOf(alert)}`));
  });
});

/** The variable of the board. */
const DATA_SOURCE = ["$", "{datasource}"].join("");

const Board = Type.Object({
  uid: Type.String(),
  title: Type.String(),
  schemaVersion: Type.Integer({ minimum: 36 }),
  time: Type.Object({ from: Type.String(), to: Type.String() }),
  templating: Type.Object({ list: Type.Array(Type.Object({ name: Type.String(), type: Type.Literal("datasource") })) }),
  panels: Type.Array(
    Type.Object({
      id: Type.Integer(),
      type: Type.Literal("timeseries"),
      title: Type.String({ minLength: 1 }),
      gridPos: Type.Object({ x: Type.Integer(), y: Type.Integer(), w: Type.Integer(), h: Type.Integer() }),
      datasource: Type.Object({ type: Type.Literal("prometheus"), uid: Type.Literal(DATA_SOURCE) }),
      fieldConfig: Type.Object({
        defaults: Type.Object({ unit: Type.String() }),
        overrides: Type.Array(Type.Object({})),
      }),
      targets: Type.Array(
        Type.Object({ refId: Type.String(), expr: Type.String({ minLength: 1 }), legendFormat: Type.String() }),
        { minItems: 1 },
      ),
    }),
  ),
});

describe("the Grafana board", () => {
  const harness = useHarness();
  const board: unknown = JSON.parse(readFileSync(BOARD, "utf8"));
  const expressions = Check(Board, board) ? board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)) : [];

  it("has the form of a dashboard, and each panel a place of its own", () => {
    if (!Check(Board, board)) throw new Error("the board has not the form of a dashboard");
    const placesOf = (values: readonly unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size;

    expect(placesOf(board.panels.map(({ id }) => id))).toBe(board.panels.length);
    expect(placesOf(board.panels.map(({ gridPos }) => gridPos))).toBe(board.panels.length);
    for (const { gridPos } of board.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });

  it.skipIf(promtoolMissing)("promtool accepts each expression", async () => {
    const rules = expressions.map((expr, at) => ({
      record: `board:expression:${at}`,
      expr: expr.replaceAll("$__rate_interval", "5m"),
    }));

    expect(await runPromtool(["check", "rules"], { groups: [{ name: "board", rules }] })).toContain(
      `${expressions.length} rules found`,
    );
  });

  it("the board and the rules name only metrics that are served", async () => {
    const server = await serveMetrics(harness.app, { host: "127.0.0.1", port: 0 });
    const text = await (await fetch(server.url)).text();
    await server.close();
    const served = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name));
    // Only networks in use have these.
    const networks = [
      ...readFileSync(new URL("read-gauges.ts", import.meta.url), "utf8").matchAll(/purser_network_\w+/g),
    ];
    for (const [name] of networks) served.add(name);

    const named = `${expressions.join("\n")}\n${readFileSync(RULES, "utf8")}`.matchAll(
      /\b(?:purser|nodejs|process)_\w+/g,
    );
    const families = [...named].map(([name]) => name.replace(/_(bucket|count)$/, ""));

    expect(families.length).toBeGreaterThan(20);
    expect([...new Set(families)].filter((name) => !served.has(name))).toEqual([]);
  });
});
