/**
 * The rules for imports. `npm run check:floors` fails if an import breaks a rule. scripts/check-floors.test.ts tests
 * each rule with an import that breaks it.
 */

/**
 * The floors (layers) of service/src, lowest first. A file can import only from its own floor and from lower floors.
 */
const FLOORS = [
  ["foundation"],
  ["db", "crypto", "ports"],
  ["app.ts", "vault", "pii", "audit", "events", "outbox", "due-work", "idempotency", "call-limits", "ledger", "budgets", "revocations", "durable", "operations", "adapters"],
  ["modules"],
  ["workflows"],
  ["http", "jobs", "telemetry"],
  ["compose.ts", "compose", "config.ts", "config"],
  ["bin"],
];

/**
 * The modules, in the order in which they import each other: a module imports only those before it. Each lists the files
 * that it offers to other modules. Workflows, routes and jobs can import all files.
 */
const MODULES = {
  health: [],
  "vendor-webhooks": ["vendor-webhooks"],
  admins: [],
  developers: ["enqueue-emails", "queries"],
  "provider-keys": ["provider-keys", "queries"],
  policies: ["bind-policy", "ensure-starter-policy", "evaluate-policies", "evaluation-resource", "policy-limits", "queries", "rules/backtest", "rules/compiled-policy", "rules/decide", "rules/facts", "rules/rule-schema"],
  agents: ["agent-resource", "agents", "kya/kya", "queries"],
  decisions: ["decide-operation", "decision-facts", "decisions", "queries"],
  approvals: ["approvals"],
  catalog: ["catalog", "plans"],
  projects: ["caps", "project-resource", "projects", "queries", "usage"],
  webhooks: [],
  links: ["link-rules", "open-provider-access", "queries"],
  charges: ["billing/payment-setup", "billing/queries", "charge-amount", "open-months", "queries", "reserve-charge", "settle-charge"],
  services: ["env-names", "queries", "rotation/queries", "service-env"],
  env: [],
  networks: ["networks"],
  "operator-transactions": ["queries", "queue-transaction"],
  wallets: ["balances/cached-balances", "queries", "signer/open-signer", "signer/wallet-keys", "wallets"],
  "user-operations": ["bundler-access", "schedule-sending"],
  payments: ["send/network-problem", "settle-payment", "spend/spend"],
  fiat: [],
  "kill-switches": [],
};
const MODULE_NAMES = Object.keys(MODULES);

/**
 * For each workspace, the other workspaces that it can import. The first six must not import any other workspace. Each
 * of these six can therefore be read, tested and replaced on its own. The service imports only `contracts/abi`.
 */
const WORKSPACES = {
  simulators: [],
  "embedded-postgres": [],
  "sdk/typescript": [],
  contracts: [],
  dashboard: [],
  docs: [],
  service: ["contracts"],
  cli: ["sdk/typescript"],
  local: ["service", "simulators", "embedded-postgres", "sdk/typescript", "contracts", "dashboard", "docs"],
  e2e: ["service", "simulators", "embedded-postgres", "sdk/typescript", "contracts", "local", "cli"],
  bench: ["service", "simulators", "embedded-postgres", "sdk/typescript", "contracts", "local", "cli"],
};

/** The tests of these workspaces must not import other workspaces, so that each can be tested on its own. */
const INDEPENDENT_IN_TESTS = ["embedded-postgres", "sdk/typescript"];

const SRC = "^service/src/";
const TEST = ["\\.test\\.ts$", "/test/"];
const SQL = "node_modules/(@types/)?(kysely|pg)/";
const either = (names) => `(${names.map((name) => name.replace(".", "\\.")).join("|")})`;
const at = (names) => `${SRC}${either(names)}(/|$)`;
const inside = (names) => `^${either(names)}/`;

const floorRules = FLOORS.slice(0, -1).map((names, floor) => ({
  name: `floor-${floor + 1}-imports-no-higher-floor`,
  comment: `${names.join(", ")}: imports point down. Pass a dependency on a higher floor as an argument.`,
  severity: "error",
  from: { path: at(names), pathNot: TEST },
  to: { path: at(FLOORS.slice(floor + 1).flat()) },
}));

const moduleRules = MODULE_NAMES.slice(0, -1).map((name, place) => ({
  name: `module-${name}-imports-no-later-module`,
  comment: `${name} comes before ${MODULE_NAMES.slice(place + 1).join(", ")}. Code that needs them too is a later module or a workflow.`,
  severity: "error",
  from: { path: `${SRC}modules/${name}/`, pathNot: TEST },
  to: { path: `${SRC}modules/${either(MODULE_NAMES.slice(place + 1))}/` },
}));

const offerRules = MODULE_NAMES.map((name) => ({
  name: `module-${name}-offers-the-file`,
  comment: `Other modules import only what ${name} offers: ${MODULES[name].join(", ") || "nothing"}. Add the file in MODULES if it is meant for others.`,
  severity: "error",
  from: { path: `${SRC}modules/`, pathNot: [`${SRC}modules/${name}/`, ...TEST] },
  to: { path: `${SRC}modules/${name}/`, pathNot: MODULES[name].map((file) => `${SRC}modules/${name}/${file}\\.ts$`) },
}));

const workspaceRules = Object.entries(WORKSPACES).map(([workspace, imports]) => ({
  name: `${workspace.replace("/", "-")}-imports-${imports.length === 0 ? "no-other-workspace" : "only-lower-workspaces"}`,
  comment: `Workspaces that ${workspace} can import: ${imports.join(", ") || "none"}.`,
  severity: "error",
  from: {
    path: inside([workspace]),
    ...(INDEPENDENT_IN_TESTS.includes(workspace) ? {} : { pathNot: TEST }),
  },
  to: { path: inside(Object.keys(WORKSPACES).filter((name) => name !== workspace && !imports.includes(name))) },
}));

module.exports = {
  forbidden: [
    ...floorRules,
    ...workspaceRules,
    {
      name: "importing-file-has-a-floor",
      comment: "The rules above do not cover a file without a floor. Add its folder to FLOORS.",
      severity: "error",
      from: { path: SRC, pathNot: [at(FLOORS.flat()), ...TEST] },
      to: {},
    },
    {
      name: "imported-file-has-a-floor",
      comment: "The rules above do not cover an import of a file without a floor. Add its folder to FLOORS.",
      severity: "error",
      from: {},
      to: { path: SRC, pathNot: at(FLOORS.flat()) },
    },
    {
      name: "service-imports-only-the-abi-of-contracts",
      comment: "The rest of contracts loads all of viem and the compiler.",
      severity: "error",
      from: { path: "^service/", pathNot: TEST },
      to: { path: "^contracts/", pathNot: "^contracts/abi/" },
    },
    {
      name: "no-cycles",
      comment: "Merge two files that import each other, or move the shared part to a third file. Type imports count too.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...moduleRules,
    ...offerRules,
    {
      name: "module-has-a-place-in-the-order",
      comment: "The rules above do not cover a module without a place. Add its folder to MODULES.",
      severity: "error",
      from: { path: `${SRC}modules/`, pathNot: [`${SRC}modules/${either(MODULE_NAMES)}/`, ...TEST] },
      to: {},
    },
    {
      name: "only-compose-imports-adapters",
      comment: "All other code uses a port of `app`, so that one line, or a test, replaces a vendor.",
      severity: "error",
      from: { path: SRC, pathNot: [`${SRC}(adapters/|compose(/|\\.ts$))`, ...TEST] },
      to: { path: `${SRC}adapters/` },
    },
    {
      name: "http-and-jobs-do-not-import-the-database",
      comment: "Routes and jobs call commands and queries of modules, which filter by tenant, lock and write the audit trail.",
      severity: "error",
      from: { path: `${SRC}(http|jobs)/`, pathNot: TEST },
      to: { path: [`${SRC}db/`, SQL] },
    },
    {
      name: "only-queries-import-sql",
      comment:
        "Only db/ and files with the name queries.ts import Kysely and pg. An adapter may connect to a developer's own database.",
      severity: "error",
      from: {
        path: SRC,
        pathNot: [`${SRC}db/`, "/queries\\.ts$", "/service-provider/neon/neon-postgres\\.ts$", ...TEST],
      },
      to: { path: SQL },
    },
    {
      name: "production-code-does-not-import-tests",
      comment: "Test code is not shipped and cannot change the behavior of production code.",
      severity: "error",
      from: { path: inside(Object.keys(WORKSPACES)), pathNot: ["^(e2e|bench)/", ...TEST] },
      to: { path: TEST, pathNot: "node_modules/" },
    },
    {
      name: "production-code-imports-only-its-dependencies",
      comment:
        "`npm ci --omit=dev` does not install devDependencies. List the package in `dependencies` of the workspace that imports it. Type imports are allowed. The package of the command line contains what it imports. Only `npm run generate` makes the OpenAPI document.",
      severity: "error",
      from: { path: inside(Object.keys(WORKSPACES)), pathNot: ["^(bench|cli|e2e/src/campaigns)/", "^service/api-document/", ...TEST] },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "every-import-resolves",
      comment: "The rules above do not see an import that cannot be resolved.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // With this option, the rules also apply to `import type`.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      extensions: [".ts"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
