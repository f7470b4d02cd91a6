import { parseArgs } from "node:util";
import { runDemo } from "../demo/run-demo.ts";

const USAGE = `Usage: npm run demo

Takes a new developer from signup over a linked provider and a database to a checked environment, step by step, and deletes
everything again. It starts the whole product on free ports, in a temporary folder that is removed at the end.`;

if (parseArgs({ options: { help: { type: "boolean", short: "h" } } }).values.help) {
  console.log(USAGE);
  process.exit();
}

await runDemo((text) => process.stdout.write(text)).catch((error: unknown) => {
  console.error(
    `\nThe demo stopped here: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
});
