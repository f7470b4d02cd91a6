import { parseArgs } from "node:util";
import { runDemo } from "../demo/run-demo.ts";
import { showProject } from "../demo/show-project.ts";

const USAGE = `Usage: npm run demo

Signs up a developer, links two providers, adds a database, pulls and checks an environment, and deletes everything.
It starts all of Purser on free ports, in a temporary folder that is removed at the end.`;

if (parseArgs({ options: { help: { type: "boolean", short: "h" } } }).values.help) {
  console.log(USAGE);
  process.exit();
}

await runDemo(showProject, (text) => process.stdout.write(text)).catch((error: unknown) => {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
