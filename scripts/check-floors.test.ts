import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Cruise, cruiseWorkspaces, FLOOR_RULES, floorProblems, WORKSPACES } from "./floors.ts";

const ROOT = path.join(import.meta.dirname, "..");

/** A small source tree whose imports follow every rule. Maps each file to its imports. */
const VALID_TREE: Readonly<Record<string, readonly string[]>> = {
  "service/src/foundation/ids.ts": ["node:crypto"],
  "service/src/db/database.ts": ["../foundation/ids.ts", "kysely", "pg"],
  "contracts/abi/addresses.ts": [],
  "contracts/chain/local-chain.ts": [],
  "service/src/crypto/agent-account.ts": ["@purser/contracts/abi/addresses.ts"],
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
  "service/src/modules/wallets/queries.ts": ["../../db/database.ts", "kysely"],
  "service/src/modules/wallets/freeze-wallet.ts": ["./queries.ts", "../../audit/append.ts", "../../app.ts"],
  "service/src/workflows/create-wallet.ts": ["../modules/wallets/freeze-wallet.ts", "../modules/agents/queries.ts"],
  "service/src/http/server.ts": ["../workflows/create-wallet.ts", "../modules/wallets/freeze-wallet.ts"],
  "service/src/jobs/runner.ts": ["../workflows/create-wallet.ts"],
  "service/src/config.ts": [],
  // This file is not in any layer ("floor"). That is allowed, because it has no imports and no file imports it.
  "service/src/utils.ts": [],
  "service/src/compose.ts": ["./config.ts", "./adapters/chain.ts", "./db/database.ts", "./http/server.ts"],
  "service/src/bin/api.ts": ["../compose.ts"],
  "service/src/modules/wallets/freeze-wallet.test.ts": [
    "./freeze-wallet.ts",
    "../agents/queries.ts",
    "../../adapters/chain.ts",
    "../../../test/harness.ts",
    "pg",
  ],
  "service/test/harness.ts": ["../src/compose.ts", "@purser/simulators/chain.ts", "@purser/embedded-postgres"],
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

/**
 * Imports that break a rule: a description, the rule, the importing file, its import specifier, and the imported file.
 */
const WRONG_IMPORTS: readonly (readonly [
  description: string,
  rule: string,
  from: string,
  specifier: string,
  to: string,
])[] = [
  [
    "a foundation file imports the database",
    "floor-1-imports-no-higher-floor",
    "service/src/foundation/ids.ts",
    "../db/database.ts",
    "service/src/db/database.ts",
  ],
  [
    "a port imports the app",
    "floor-2-imports-no-higher-floor",
    "service/src/ports/money.ts",
    "../app.ts",
    "service/src/app.ts",
  ],
  [
    "the audit folder imports a module",
    "floor-3-imports-no-higher-floor",
    "service/src/audit/verify.ts",
    "../modules/agents/queries.ts",
    "service/src/modules/agents/queries.ts",
  ],
  [
    "a module imports a workflow",
    "floor-4-imports-no-higher-floor",
    "service/src/modules/agents/register-agent.ts",
    "../../workflows/create-wallet.ts",
    "service/src/workflows/create-wallet.ts",
  ],
  [
    "a workflow imports the HTTP layer",
    "floor-5-imports-no-higher-floor",
    "service/src/workflows/add-service.ts",
    "../http/server.ts",
    "service/src/http/server.ts",
  ],
  [
    "a route imports the configuration",
    "floor-6-imports-no-higher-floor",
    "service/src/http/routes/health.ts",
    "../../config.ts",
    "service/src/config.ts",
  ],
  [
    "the configuration imports a process",
    "floor-7-imports-no-higher-floor",
    "service/src/config.ts",
    "./bin/api.ts",
    "service/src/bin/api.ts",
  ],
  [
    "the service imports a simulator by its package",
    "service-imports-only-lower-workspaces",
    "service/src/adapters/custodian.ts",
    "@purser/simulators/chain.ts",
    "simulators/src/chain.ts",
  ],
  [
    "the service imports embedded-postgres by its path",
    "service-imports-only-lower-workspaces",
    "service/src/db/migrate.ts",
    "../../../embedded-postgres/src/index.ts",
    "embedded-postgres/src/index.ts",
  ],
  [
    "the service imports the local chain",
    "service-imports-only-the-abi-of-contracts",
    "service/src/adapters/custodian.ts",
    "@purser/contracts/chain/local-chain.ts",
    "contracts/chain/local-chain.ts",
  ],
  [
    "a simulator imports the service",
    "simulators-imports-no-other-workspace",
    "simulators/src/chain.ts",
    "@purser/service/foundation/ids.ts",
    "service/src/foundation/ids.ts",
  ],
  [
    "a test of embedded-postgres imports the service",
    "embedded-postgres-imports-no-other-workspace",
    "embedded-postgres/src/start.test.ts",
    "@purser/service/foundation/ids.ts",
    "service/src/foundation/ids.ts",
  ],
  [
    "the deployment of the contracts imports the service",
    "contracts-imports-no-other-workspace",
    "contracts/chain/deployments.ts",
    "@purser/service/foundation/ids.ts",
    "service/src/foundation/ids.ts",
  ],
  [
    "a screen imports the service",
    "dashboard-imports-no-other-workspace",
    "dashboard/src/router.tsx",
    "../../service/src/foundation/ids.ts",
    "service/src/foundation/ids.ts",
  ],
  [
    "the build of the documents imports the service",
    "docs-imports-no-other-workspace",
    "docs/build-docs.ts",
    "../service/src/foundation/ids.ts",
    "service/src/foundation/ids.ts",
  ],
  [
    "the SDK imports the service's signing code",
    "sdk-typescript-imports-no-other-workspace",
    "sdk/typescript/src/signing.ts",
    "../../../service/src/crypto/envelope.ts",
    "service/src/crypto/envelope.ts",
  ],
  [
    "a command imports the service",
    "cli-imports-only-lower-workspaces",
    "cli/src/purser.ts",
    "../../service/src/foundation/ids.ts",
    "service/src/foundation/ids.ts",
  ],
  [
    "the local profile imports e2e",
    "local-imports-only-lower-workspaces",
    "local/src/demo.ts",
    "../../e2e/src/campaign.ts",
    "e2e/src/campaign.ts",
  ],
  [
    "e2e imports the benchmark",
    "e2e-imports-only-lower-workspaces",
    "e2e/src/campaign.ts",
    "../../bench/src/run.ts",
    "bench/src/run.ts",
  ],
  [
    "the benchmark imports e2e",
    "bench-imports-only-lower-workspaces",
    "bench/src/run.ts",
    "../../e2e/src/campaign.ts",
    "e2e/src/campaign.ts",
  ],
  [
    "a file in a folder without a floor has an import",
    "importing-file-has-a-floor",
    "service/src/helpers/dates.ts",
    "../foundation/ids.ts",
    "service/src/foundation/ids.ts",
  ],
  [
    "a module imports a file without a floor",
    "imported-file-has-a-floor",
    "service/src/modules/agents/register-agent.ts",
    "../../utils.ts",
    "service/src/utils.ts",
  ],
  [
    "two files import each other",
    "no-cycles",
    "service/src/adapters/chain.ts",
    "./custodian.ts",
    "service/src/adapters/custodian.ts",
  ],
  [
    "a module imports a module that comes after it",
    "module-agents-imports-no-later-module",
    "service/src/modules/agents/register-agent.ts",
    "../wallets/freeze-wallet.ts",
    "service/src/modules/wallets/freeze-wallet.ts",
  ],
  [
    "a module imports a file that another module does not offer",
    "module-agents-offers-the-file",
    "service/src/modules/wallets/freeze-wallet.ts",
    "../agents/register-agent.ts",
    "service/src/modules/agents/register-agent.ts",
  ],
  [
    "a file of a module without a place in the order has an import",
    "module-has-a-place-in-the-order",
    "service/src/modules/pets/create-pet.ts",
    "../../app.ts",
    "service/src/app.ts",
  ],
  [
    "a command imports an adapter",
    "only-compose-imports-adapters",
    "service/src/modules/wallets/create-wallet.ts",
    "../../adapters/chain.ts",
    "service/src/adapters/chain.ts",
  ],
  [
    "a route imports the database",
    "http-and-jobs-do-not-import-the-database",
    "service/src/http/routes/health.ts",
    "../../db/database.ts",
    "service/src/db/database.ts",
  ],
  [
    "a queries.ts file of a job imports pg",
    "http-and-jobs-do-not-import-the-database",
    "service/src/jobs/queries.ts",
    "pg",
    "node_modules/pg/index.js",
  ],
  [
    "a command contains SQL",
    "only-queries-import-sql",
    "service/src/modules/wallets/freeze-wallet.ts",
    "kysely",
    "node_modules/kysely/index.js",
  ],
  [
    "audit contains SQL outside queries.ts",
    "only-queries-import-sql",
    "service/src/audit/append.ts",
    "kysely",
    "node_modules/kysely/index.js",
  ],
  [
    "outbox contains SQL outside queries.ts",
    "only-queries-import-sql",
    "service/src/outbox/enqueue.ts",
    "kysely",
    "node_modules/kysely/index.js",
  ],
  [
    "idempotency contains SQL outside queries.ts",
    "only-queries-import-sql",
    "service/src/idempotency/claim.ts",
    "pg",
    "node_modules/pg/index.js",
  ],
  [
    "a process imports the test harness",
    "production-code-does-not-import-tests",
    "service/src/bin/api.ts",
    "../../test/harness.ts",
    "service/test/harness.ts",
  ],
  [
    "the service imports a development package",
    "production-code-imports-only-its-dependencies",
    "service/src/crypto/agent-account.ts",
    "viem",
    "node_modules/viem/index.js",
  ],
  [
    "the local profile imports a package that only the service lists",
    "production-code-imports-only-its-dependencies",
    "local/src/bin/start.ts",
    "jose",
    "node_modules/jose/index.js",
  ],
  [
    "an imported file does not exist",
    "every-import-resolves",
    "service/src/foundation/ids.ts",
    "./missing.ts",
    "./missing.ts",
  ],
];

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true });
});

/** The packages that the tree imports as values. */
const VALUE_IMPORTS = ["viem", "jose"];

/**
 * Writes a file with type-only imports. The compiled code does not contain them, but the check must find them. Imports of
 * `VALUE_IMPORTS` are not type-only.
 */
function write(tree: string, file: string, specifiers: readonly string[]): void {
  const lines = specifiers.map((specifier) =>
    VALUE_IMPORTS.includes(specifier) ? `import "${specifier}";` : `import type {} from "${specifier}";`,
  );
  mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
  writeFileSync(path.join(tree, file), [...lines, "export const here = 1;", ""].join("\n"));
}

/** Writes the valid tree to a new folder and links the workspaces as npm does. */
function createTree(): string {
  const tree = mkdtempSync(path.join(tmpdir(), "purser-floors-"));
  trees.push(tree);
  for (const [file, specifiers] of Object.entries(VALID_TREE)) write(tree, file, specifiers);
  for (const workspace of WORKSPACES) {
    cpSync(path.join(ROOT, workspace, "package.json"), path.join(tree, workspace, "package.json"));
    const link = path.join(tree, "node_modules/@purser", path.basename(workspace));
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(tree, workspace), workspace === "sdk/typescript" ? path.join(link, "../sdk") : link);
  }
  for (const name of ["kysely", "pg", ...VALUE_IMPORTS]) {
    mkdirSync(path.join(tree, "node_modules", name), { recursive: true });
    writeFileSync(path.join(tree, "node_modules", name, "index.js"), "");
    writeFileSync(path.join(tree, "node_modules", name, "package.json"), '{ "main": "./index.js" }');
  }
  return tree;
}

describe("floors", () => {
  test("no violations, and every file and import of a valid tree is read", async () => {
    const { modules, imports, violations } = await cruiseWorkspaces(createTree());

    expect(violations).toEqual([]);
    expect(modules).toBe(Object.keys(VALID_TREE).length);
    expect(imports).toBe(Object.values(VALID_TREE).flat().length);
  });

  describe("a tree with every wrong import", () => {
    let cruise: Cruise;

    beforeAll(async () => {
      const tree = createTree();
      const byFile = Map.groupBy(WRONG_IMPORTS, ([, , from]) => from);
      for (const [from, wrong] of byFile) {
        write(tree, from, [...(VALID_TREE[from] ?? []), ...wrong.map(([, , , specifier]) => specifier)]);
      }
      cruise = await cruiseWorkspaces(tree);
    });

    test.for(WRONG_IMPORTS)("violation: %s (%s)", ([, rule, from, , to]) => {
      expect(cruise.violations).toContainEqual({ rule, from, to });
    });
  });

  test("every rule is tested with an import that breaks it", async () => {
    const { ruleSet } = await extractDepcruiseOptions(FLOOR_RULES);

    const rules = [...new Set((ruleSet?.forbidden ?? []).map(({ name = "" }) => kindOf(name)))].sort();

    expect([...new Set(WRONG_IMPORTS.map(([, rule]) => kindOf(rule)))].sort()).toEqual(rules);
  });

  test.each([
    ["no module", { modules: 0, imports: 0 }],
    ["modules without imports", { modules: 500, imports: 0 }],
  ])("reports a problem although no violation was found: the check read %s", (_, read) => {
    expect(floorProblems({ ...read, violations: [] })).toEqual([expect.stringContaining("the check is broken")]);
    expect(floorProblems({ modules: 5000, imports: 5000, violations: [] })).toEqual([]);
  });
});

/** There are two rules per module, and each is tested for one of them. */
function kindOf(rule: string): string {
  return rule.replace(/^module-.*-(imports-no-later-module|offers-the-file)$/, "module-$1");
}
