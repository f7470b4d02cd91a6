import { globSync } from "node:fs";
import path from "node:path";
import { cruise } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";

/** The folders whose imports are read. `scripts/` is not among them: tools may look at everything. */
export const WORKSPACES = [
  "service",
  "simulators",
  "embedded-postgres",
  "local",
  "sdk/typescript",
  "e2e",
  "bench",
] as const;

/** The rules themselves. */
export const FLOOR_RULES = path.join(import.meta.dirname, "..", ".dependency-cruiser.cjs");

/**
 * A parser that does not understand our TypeScript reads nothing and finds no violation. Fewer than these means that
 * the check is broken and not that the code is right. Raise them as the tree grows; never lower them to pass.
 */
const MODULES_MIN = 100;
const ARROWS_MIN = 400;

export interface Cruise {
  /** Files of ours that were read. */
  readonly modules: number;
  /** Imports found in them. A parser that fails quietly still lists the files, but finds no arrows. */
  readonly arrows: number;
  readonly violations: readonly {
    readonly rule: string;
    readonly from: string;
    readonly to: string;
  }[];
}

/** Reads every import of the workspaces that exist under `root` and holds them against `.dependency-cruiser.cjs`. */
export async function cruiseWorkspaces(root: string): Promise<Cruise> {
  const files = globSync(
    WORKSPACES.map((workspace) => `${workspace}/**/*.ts`),
    { cwd: root, exclude: (name) => name === "node_modules" },
  );
  const options = { ...(await extractDepcruiseOptions(FLOOR_RULES)), baseDir: root };
  const { output } = await cruise(files, options);
  if (typeof output === "string") {
    throw new Error("dependency-cruiser answered with a text where its result was expected");
  }

  const ours = new Set(files);
  const read = output.modules.filter((module) => ours.has(module.source));
  return {
    modules: read.length,
    arrows: read.reduce((sum, module) => sum + module.dependencies.length, 0),
    violations: output.summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      from,
      to,
    })),
  };
}

/** What stands against this cruise, one line each; none means that the floors hold. */
export function floorProblems({ modules, arrows, violations }: Cruise): string[] {
  const problems = violations.map(({ rule, from, to }) => `${from} → ${to} (${rule})`);
  if (modules < MODULES_MIN || arrows < ARROWS_MIN) {
    problems.push(
      `read only ${modules} modules and ${arrows} imports, where at least ${MODULES_MIN} and ${ARROWS_MIN} are known to be: the check itself is broken`,
    );
  }
  return problems;
}
