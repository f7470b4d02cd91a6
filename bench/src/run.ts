import { parseArgs } from "node:util";
import { type Comparison, compare, type Timing } from "./compare.ts";
import { createLineUp, type LineUp } from "./line-up.ts";
import { countRedisCommands } from "./redis-commands.ts";
import { appendResults, describeRun, type Results, resultsText } from "./report.ts";

const { values: options } = parseArgs({
  options: {
    /** One short round: shows that the bench works, and is not kept. */
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    /** A folder for CPU profiles of the servers. */
    profile: { type: "string" },
  },
});

const timing: Timing = options.quick
  ? { rounds: 1, roundSeconds: 2, warmUpSeconds: 1 }
  : { rounds: 5, roundSeconds: 4, warmUpSeconds: 5 };

tell("starting PostgreSQL and the servers");
const lineUp = await createLineUp({ profileDir: options.profile });
process.once("SIGINT", () => void lineUp.close().finally(() => process.exit(130)));
try {
  const results = await run(lineUp);
  console.log(options.json ? JSON.stringify(results, null, 2) : resultsText(results));
  if (!options.quick) await appendResults(results);
} finally {
  await lineUp.close();
}

async function run({ pairs, startOverRedis }: LineUp): Promise<Results> {
  const comparisons: Comparison[] = [];
  for (const pair of pairs) {
    tell(pair.title);
    comparisons.push(await compare(pair, timing));
  }
  tell("Redis commands per signed request");
  const redis = await countRedisCommands(startOverRedis);
  return { ...describeRun(timing), comparisons, redis };
}

function tell(what: string): void {
  process.stderr.write(`bench: ${what}\n`);
}
