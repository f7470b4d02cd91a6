import { globSync } from "node:fs";
import path from "node:path";
import { cruise } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";

/** The folders whose imports are checked. The imports of `scripts/` are not restricted. */
export const WORKSPACES = [
  "service",
  "simulators",
  "embedded-postgres",
  "local",
  "sdk/typescript",
  "cli",
  "e2e",
  "bench",
  "contracts",
  "dashboard",
  "docs",
] as const;

/** The dependency-cruiser configuration, which defines the import rules. */
export const FLOOR_RULES = path.join(import.meta.dirname, "..", ".dependency-cruiser.cjs");

/**
 * The minimum numbers of modules and imports that the parser must read. A parser that fails silently finds no
 * violations, so lower numbers are reported as a problem. Raise the minimums as the code grows. Do not lower them to
 * make the check pass.
 */
const MODULES_MIN = 100;
const IMPORTS_MIN = 400;

export interface Cruise {
  /** The number of files that were read. */
  readonly modules: number;
  /** The number of imports in those files. */
  readonly imports: number;
  readonly violations: readonly {
    readonly rule: string;
    readonly from: string;
    readonly to: string;
  }[];
}

/** Reads every import of the workspaces under `root` and checks them against `.dependency-cruiser.cjs`. */
export async function cruiseWorkspaces(root: string): Promise<Cruise> {
  const files = globSync(
    WORKSPACES.map((workspace) => `${workspace}/**/*.{ts,tsx}`),
    { cwd: root, exclude: (name) => name === "node_modules" || name === "dist" },
  );
  const options = { ...(await extractDepcruiseOptions(FLOOR_RULES)), baseDir: root };
  const { output } = await cruise(files, options);
  if (typeof output === "string") {
    throw new Error("Expected a result object from dependency-cruiser, received a string.");
  }

  const ownFiles = new Set(files);
  const read = output.modules.filter((module) => ownFiles.has(module.source));
  return {
    modules: read.length,
    imports: read.reduce((sum, module) => sum + module.dependencies.length, 0),
    violations: output.summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      from,
      to,
    })),
  };
}

/** Returns one line for each problem. */
export function floorProblems({ modules, imports, violations }: Cruise): string[] {
  const problems = violations.map(({ rule, from, to }) => `${from} → ${to} (${rule})`);
  if (modules < MODULES_MIN || imports < IMPORTS_MIN) {
    problems.push(
      `the check is broken: it read only ${modules} modules and ${imports} imports, expected at least ${MODULES_MIN} and ${IMPORTS_MIN}`,
    );
  }
  return problems;
}
