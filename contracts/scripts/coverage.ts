/** The covered share of lines and branches, in percent. */
export interface Coverage {
  readonly linesPercent: number;
  readonly branchesPercent: number;
  /** For each file, the lines that no test runs or of which no test takes a branch: `src/A.sol: 7, 9`. */
  readonly missed: readonly string[];
}

/** Reads the coverage of the files under `src/` from a report in the format of lcov. */
export function readCoverage(lcov: string): Coverage {
  const lines = { found: 0, hit: 0 };
  const branches = { found: 0, hit: 0 };
  const missed = new Map<string, Set<number>>();
  let file = "";
  const count = (total: typeof lines, line: string | undefined, hits: string | undefined) => {
    total.found += 1;
    // A branch whose code never ran has the count `-`.
    if (Number(hits) > 0) total.hit += 1;
    else missed.set(file, (missed.get(file) ?? new Set()).add(Number(line)));
  };
  for (const record of lcov.split("\n")) {
    const [kind, value = ""] = record.split(/:(.*)/);
    const fields = value.split(",");
    if (kind === "SF") file = value;
    if (!file.startsWith("src/")) continue;
    if (kind === "DA") count(lines, fields[0], fields[1]);
    if (kind === "BRDA") count(branches, fields[0], fields[3]);
  }
  return {
    linesPercent: percent(lines),
    branchesPercent: percent(branches),
    missed: [...missed].map(([source, numbers]) => `${source}: ${[...numbers].sort((a, b) => a - b).join(", ")}`),
  };
}

function percent({ found, hit }: { readonly found: number; readonly hit: number }): number {
  return found === 0 ? 0 : (hit / found) * 100;
}
