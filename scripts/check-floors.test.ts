import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Cruise, cruiseWorkspaces, FLOOR_RULES, floorProblems, WORKSPACES } from "./floors.ts";

const ROOT = path.join(import.meta.dirname, "..");

/** A small tree that keeps every rule: each file with what it imports. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  "service/src/foundation/ids.ts": ["node:crypto"],
  "service/src/db/database.ts": ["../foundation/ids.ts", "kysely", "pg"],
  "service/src/crypto/envelope.ts": ["../foundation/ids.ts"],
  "service/src/ports/chain.ts": ["../foundation/ids.ts"],
  "service/src/app.ts": ["./db/database.ts", "./ports/chain.ts"],
  "service/src/audit/queries.ts": ["../db/database.ts", "kysely"],
  "service/src/audit/append.ts": ["./queries.ts"],
  "service/src/outbox/enqueue.ts": ["../db/database.ts"],
  "service/src/idempotency/claim.ts": ["../db/database.ts"],
  "service/src/adapters/chain.ts": ["../ports/chain.ts"],
  "service/src/adapters/custodian.ts": ["./chain.ts"],
  "service/src/modules/agents/queries.ts": ["../../db/database.ts", "kysely"],
  "service/src/modules/agents/index.ts": ["./queries.ts"],
  "service/src/modules/wallets/queries.ts": ["../../db/database.ts", "kysely"],
  "service/src/modules/wallets/freeze-wallet.ts": [
    "./queries.ts",
    "../../audit/append.ts",
    "../../app.ts",
  ],
  "service/src/modules/wallets/index.ts": ["./freeze-wallet.ts"],
  "service/src/workflows/create-wallet.ts": [
    "../modules/wallets/index.ts",
    "../modules/agents/index.ts",
  ],
  "service/src/http/server.ts": ["../workflows/create-wallet.ts", "../modules/wallets/index.ts"],
  "service/src/jobs/runner.ts": ["../workflows/create-wallet.ts"],
  "service/src/config.ts": [],
  // Stands on no floor, which is nobody's trouble until something imports it.
  "service/src/utils.ts": [],
  "service/src/compose.ts": [
    "./config.ts",
    "./adapters/chain.ts",
    "./db/database.ts",
    "./http/server.ts",
  ],
  "service/src/bin/api.ts": ["../compose.ts"],
  "service/src/modules/wallets/freeze-wallet.test.ts": [
    "./freeze-wallet.ts",
    "../agents/index.ts",
    "../../adapters/chain.ts",
    "../../../test/harness.ts",
    "pg",
  ],
  "service/test/harness.ts": [
    "../src/compose.ts",
    "@purser/simulators/chain.ts",
    "@purser/embedded-postgres",
  ],
  "simulators/src/chain.ts": [],
  "embedded-postgres/src/index.ts": ["pg"],
  "sdk/typescript/src/index.ts": [],
  "local/src/bin/start.ts": [
    "@purser/service/compose.ts",
    "@purser/simulators/chain.ts",
    "@purser/embedded-postgres",
    "@purser/sdk",
  ],
  "e2e/src/campaign.ts": ["@purser/sdk", "@purser/service/config.ts"],
  "bench/src/run.ts": ["@purser/service/compose.ts"],
};

/** What is planted: who imports wrongly, the rule that must say so, the file, its import, and where that leads. */
const PLANTS: readonly (readonly [
  who: string,
  rule: string,
  from: string,
  specifier: string,
  to: string,
])[] = [
  [
    "a file of the foundation that imports the database",
    "floor-1-imports-nothing-above",
    "service/src/foundation/ids.ts",
    "../db/database.ts",
    "service/src/db/database.ts",
  ],
  [
    "a port that imports the app",
    "floor-2-imports-nothing-above",
    "service/src/ports/money.ts",
    "../app.ts",
    "service/src/app.ts",
  ],
  [
    "the audit that imports a module",
    "floor-3-imports-nothing-above",
    "service/src/audit/verify.ts",
    "../modules/agents/index.ts",
    "service/src/modules/agents/index.ts",
  ],
  [
    "a module that imports a workflow",
    "floor-4-imports-nothing-above",
    "service/src/modules/agents/register-agent.ts",
    "../../workflows/create-wallet.ts",
    "service/src/workflows/create-wallet.ts",
  ],
  [
    "a workflow that imports the edge",
    "floor-5-imports-nothing-above",
    "service/src/workflows/add-service.ts",
    "../http/server.ts",
    "service/src/http/server.ts",
  ],
  [
    "a route that imports the configuration",
    "floor-6-imports-nothing-above",
    "service/src/http/routes/health.ts",
    "../../config.ts",
    "service/src/config.ts",
  ],
  [
    "a configuration that imports a process",
    "floor-7-imports-nothing-above",
    "service/src/config.ts",
    "./bin/api.ts",
    "service/src/bin/api.ts",
  ],
  [
    "a service that imports a simulator by its package",
    "service-imports-nothing-of-ours",
    "service/src/adapters/custodian.ts",
    "@purser/simulators/chain.ts",
    "simulators/src/chain.ts",
  ],
  [
    "a service that imports the embedded Postgres by its path",
    "service-imports-nothing-of-ours",
    "service/src/db/migrate.ts",
    "../../../embedded-postgres/src/index.ts",
    "embedded-postgres/src/index.ts",
  ],
  [
    "a simulator that imports the service",
    "simulators-imports-nothing-of-ours",
    "simulators/src/chain.ts",
    "@purser/service/foundation/ids.ts",
    "service/src/foundation/ids.ts",
  ],
  [
    "an embedded Postgres whose test imports the service",
    "embedded-postgres-imports-nothing-of-ours",
    "embedded-postgres/src/start.test.ts",
    "@purser/service/foundation/ids.ts",
    "service/src/foundation/ids.ts",
  ],
  [
    "an SDK that imports the service's signing",
    "sdk-typescript-imports-nothing-of-ours",
    "sdk/typescript/src/signing.ts",
    "../../../service/src/crypto/envelope.ts",
    "service/src/crypto/envelope.ts",
  ],
  [
    "a local profile that imports the journeys",
    "local-imports-only-what-is-below-it",
    "local/src/demo.ts",
    "../../e2e/src/campaign.ts",
    "e2e/src/campaign.ts",
  ],
  [
    "a journey that imports the benchmark",
    "e2e-imports-only-what-is-below-it",
    "e2e/src/campaign.ts",
    "../../bench/src/run.ts",
    "bench/src/run.ts",
  ],
  [
    "a benchmark that imports a journey",
    "bench-imports-only-what-is-below-it",
    "bench/src/run.ts",
    "../../e2e/src/campaign.ts",
    "e2e/src/campaign.ts",
  ],
  [
    "a file in a folder that is on no floor",
    "what-imports-stands-on-a-floor",
    "service/src/helpers/dates.ts",
    "../foundation/ids.ts",
    "service/src/foundation/ids.ts",
  ],
  [
    "a module that imports a file beside the floors",
    "what-is-imported-stands-on-a-floor",
    "service/src/modules/agents/register-agent.ts",
    "../../utils.ts",
    "service/src/utils.ts",
  ],
  [
    "a circle of two files",
    "no-circles",
    "service/src/adapters/chain.ts",
    "./custodian.ts",
    "service/src/adapters/custodian.ts",
  ],
  [
    "a module that imports another module",
    "modules-do-not-know-each-other",
    "service/src/modules/wallets/create-wallet.ts",
    "../agents/index.ts",
    "service/src/modules/agents/index.ts",
  ],
  [
    "a workflow that enters a module by the window",
    "a-module-has-one-door",
    "service/src/workflows/create-wallet.ts",
    "../modules/wallets/queries.ts",
    "service/src/modules/wallets/queries.ts",
  ],
  [
    "an operation that picks its adapter",
    "only-compose-picks-adapters",
    "service/src/modules/wallets/create-wallet.ts",
    "../../adapters/chain.ts",
    "service/src/adapters/chain.ts",
  ],
  [
    "a route that imports the database",
    "the-edge-never-sees-the-database",
    "service/src/http/routes/health.ts",
    "../../db/database.ts",
    "service/src/db/database.ts",
  ],
  [
    "a job with a queries file of its own",
    "the-edge-never-sees-the-database",
    "service/src/jobs/queries.ts",
    "pg",
    "node_modules/pg/index.js",
  ],
  [
    "an operation that speaks SQL",
    "only-queries-speak-sql",
    "service/src/modules/wallets/freeze-wallet.ts",
    "kysely",
    "node_modules/kysely/index.js",
  ],
  [
    "an audit that speaks SQL outside its queries",
    "only-queries-speak-sql",
    "service/src/audit/append.ts",
    "kysely",
    "node_modules/kysely/index.js",
  ],
  [
    "an outbox that speaks SQL outside its queries",
    "only-queries-speak-sql",
    "service/src/outbox/enqueue.ts",
    "kysely",
    "node_modules/kysely/index.js",
  ],
  [
    "an idempotency claim that speaks SQL outside its queries",
    "only-queries-speak-sql",
    "service/src/idempotency/claim.ts",
    "pg",
    "node_modules/pg/index.js",
  ],
  [
    "a process that imports the harness of the tests",
    "the-product-never-imports-its-tests",
    "service/src/bin/api.ts",
    "../../test/harness.ts",
    "service/test/harness.ts",
  ],
  [
    "an import of a file that does not exist",
    "every-import-is-found",
    "service/src/foundation/ids.ts",
    "./missing.ts",
    "./missing.ts",
  ],
];

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true });
});

/** Type imports are planted, for they are the arrows that a parser of the compiled code would not see. */
function write(tree: string, file: string, specifiers: readonly string[]): void {
  const lines = specifiers.map((specifier) => `import type {} from "${specifier}";`);
  mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
  writeFileSync(path.join(tree, file), [...lines, "export const here = 1;", ""].join("\n"));
}

/** Lays out the kept tree in a folder of its own, with our packages linked as npm links them. */
function growTree(): string {
  const tree = mkdtempSync(path.join(tmpdir(), "purser-floors-"));
  trees.push(tree);
  for (const [file, specifiers] of Object.entries(KEPT)) write(tree, file, specifiers);
  for (const workspace of WORKSPACES) {
    cpSync(path.join(ROOT, workspace, "package.json"), path.join(tree, workspace, "package.json"));
    const link = path.join(tree, "node_modules/@purser", path.basename(workspace));
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(
      path.join(tree, workspace),
      workspace === "sdk/typescript" ? path.join(link, "../sdk") : link,
    );
  }
  for (const name of ["kysely", "pg"]) {
    mkdirSync(path.join(tree, "node_modules", name), { recursive: true });
    writeFileSync(path.join(tree, "node_modules", name, "index.js"), "");
    writeFileSync(
      path.join(tree, "node_modules", name, "package.json"),
      '{ "main": "./index.js" }',
    );
  }
  return tree;
}

describe("floors", () => {
  test("a tree that keeps every rule is accepted, and was read whole", async () => {
    const { modules, arrows, violations } = await cruiseWorkspaces(growTree());

    expect(violations).toEqual([]);
    expect(modules).toBe(Object.keys(KEPT).length);
    expect(arrows).toBe(Object.values(KEPT).flat().length);
  });

  describe("a tree with every wrong import at once", () => {
    let cruise: Cruise;

    beforeAll(async () => {
      const tree = growTree();
      const planted = Map.groupBy(PLANTS, ([, , from]) => from);
      for (const [from, plants] of planted) {
        write(tree, from, [...(KEPT[from] ?? []), ...plants.map(([, , , specifier]) => specifier)]);
      }
      cruise = await cruiseWorkspaces(tree);
    });

    test.for(PLANTS)("%s is refused: %s", ([, rule, from, , to]) => {
      expect(cruise.violations).toContainEqual({ rule, from, to });
    });
  });

  test("every rule has a wrong import planted against it", async () => {
    const { ruleSet } = await extractDepcruiseOptions(FLOOR_RULES);

    const rules = (ruleSet?.forbidden ?? []).map(({ name }) => name).sort();

    expect([...new Set(PLANTS.map(([, rule]) => rule))].sort()).toEqual(rules);
  });

  test.each([
    ["no module at all", { modules: 0, arrows: 0 }],
    ["modules without a single import", { modules: 500, arrows: 0 }],
  ])("a check that read %s is refused, although it found no violation", (_, read) => {
    expect(floorProblems({ ...read, violations: [] })).toEqual([
      expect.stringContaining("the check itself is broken"),
    ]);
    expect(floorProblems({ modules: 5000, arrows: 5000, violations: [] })).toEqual([]);
  });
});
