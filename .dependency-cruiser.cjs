/**
 * Who may import whom. `npm run check:floors` fails on the first arrow that points the wrong way, and
 * scripts/check-floors.test.ts plants one wrong import for every rule named here.
 */

/**
 * The floors of the service, lowest first. A file imports from its own floor or from a floor below it, never from
 * one above. All floor rules are built from this list.
 */
const FLOORS = [
  ["foundation"],
  ["db", "crypto", "ports"],
  ["app.ts", "vault", "audit", "outbox", "idempotency", "call-limits", "durable", "operations", "adapters"],
  ["modules"],
  ["workflows"],
  ["http", "jobs"],
  ["compose.ts", "compose", "config.ts", "config"],
  ["bin"],
];

/**
 * Each workspace with the workspaces of ours it may import. The service, its vendors' simulators, the SDK and the
 * embedded Postgres stand alone, so that each can be read, tested and replaced without the others; `local` joins
 * them, and `e2e` and `bench` stand on top, imported by nobody.
 */
const WORKSPACES = {
  service: [],
  simulators: [],
  "embedded-postgres": [],
  "sdk/typescript": [],
  local: ["service", "simulators", "embedded-postgres", "sdk/typescript"],
  e2e: ["service", "simulators", "embedded-postgres", "sdk/typescript", "local"],
  bench: ["service", "simulators", "embedded-postgres", "sdk/typescript", "local"],
};

/** Workspaces whose very tests import nothing of ours: what they promise must hold for a reader who has nothing else. */
const ALONE_IN_TESTS_TOO = ["embedded-postgres", "sdk/typescript"];

const SRC = "^service/src/";
const TEST = ["\\.test\\.ts$", "/test/"];
const SQL = "node_modules/(@types/)?(kysely|pg)/";
const either = (names) => `(${names.map((name) => name.replace(".", "\\.")).join("|")})`;
const at = (names) => `${SRC}${either(names)}(/|$)`;
const inside = (names) => `^${either(names)}/`;

const floorRules = FLOORS.slice(0, -1).map((names, floor) => ({
  name: `floor-${floor + 1}-imports-nothing-above`,
  comment: `${names.join(", ")}: imports point down. What a lower floor needs of a higher one comes in as an argument.`,
  severity: "error",
  from: { path: at(names), pathNot: TEST },
  to: { path: at(FLOORS.slice(floor + 1).flat()) },
}));

const workspaceRules = Object.entries(WORKSPACES).map(([workspace, imports]) => ({
  name: `${workspace.replace("/", "-")}-imports-${imports.length === 0 ? "nothing-of-ours" : "only-what-is-below-it"}`,
  comment: `${workspace} may import of our workspaces: ${imports.join(", ") || "none"}.`,
  severity: "error",
  from: {
    path: inside([workspace]),
    ...(ALONE_IN_TESTS_TOO.includes(workspace) ? {} : { pathNot: TEST }),
  },
  to: { path: inside(Object.keys(WORKSPACES).filter((name) => name !== workspace && !imports.includes(name))) },
}));

module.exports = {
  forbidden: [
    ...floorRules,
    ...workspaceRules,
    {
      name: "what-imports-stands-on-a-floor",
      comment: "A new folder or file beside the floors would escape every rule above: name its floor in FLOORS first.",
      severity: "error",
      from: { path: SRC, pathNot: [at(FLOORS.flat()), ...TEST] },
      to: {},
    },
    {
      name: "what-is-imported-stands-on-a-floor",
      comment: "As above, seen from the importing side.",
      severity: "error",
      from: {},
      to: { path: SRC, pathNot: at(FLOORS.flat()) },
    },
    {
      name: "no-circles",
      comment: "Two files that need each other are one file, or lack a third below them. Types count too.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "modules-do-not-know-each-other",
      comment: "What spans two modules is a workflow.",
      severity: "error",
      from: { path: `${SRC}modules/([^/]+)/`, pathNot: TEST },
      to: { path: `${SRC}modules/([^/]+)/`, pathNot: `${SRC}modules/$1/` },
    },
    {
      name: "a-module-has-one-door",
      comment: "From outside, a module is imported by its index.ts, which writes out the names that are meant for others.",
      severity: "error",
      from: { pathNot: [`${SRC}modules/`, ...TEST] },
      to: { path: `${SRC}modules/[^/]+/`, pathNot: `${SRC}modules/[^/]+/index\\.ts$` },
    },
    {
      name: "only-compose-picks-adapters",
      comment: "Everybody else asks for a port of `app`; so a vendor is changed in one line, and a test can change it too.",
      severity: "error",
      from: { path: SRC, pathNot: [`${SRC}(adapters/|compose(/|\\.ts$))`, ...TEST] },
      to: { path: `${SRC}adapters/` },
    },
    {
      name: "the-edge-never-sees-the-database",
      comment: "Routes and jobs call operations. A query in a route would escape the tenant's filter, the audit and the lock.",
      severity: "error",
      from: { path: `${SRC}(http|jobs)/`, pathNot: TEST },
      to: { path: [`${SRC}db/`, SQL] },
    },
    {
      name: "only-queries-speak-sql",
      comment: "Kysely and pg are imported by db/ and by the queries.ts of a module, of vault/, audit/, outbox/ or idempotency/.",
      severity: "error",
      from: { path: SRC, pathNot: [`${SRC}db/`, "/queries\\.ts$", ...TEST] },
      to: { path: SQL },
    },
    {
      name: "the-product-never-imports-its-tests",
      comment: "What only tests need must not be shipped, and must not be able to change how the product behaves.",
      severity: "error",
      from: { path: inside(Object.keys(WORKSPACES)), pathNot: ["^(e2e|bench)/", ...TEST] },
      to: { path: TEST, pathNot: "node_modules/" },
    },
    {
      name: "every-import-is-found",
      comment: "An import that cannot be resolved is an arrow that no rule above can see.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // Without this the arrows of `import type` are invisible, and a port could quietly know a table.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      extensions: [".ts"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
