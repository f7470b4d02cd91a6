import { parseArgs } from "node:util";
import { type DemoContext, runDemo } from "../demo/run-demo.ts";
import { showAgents } from "../demo/show-agents.ts";
import { showFiat } from "../demo/show-fiat.ts";
import { showProject } from "../demo/show-project.ts";
import { showWallets } from "../demo/show-wallets.ts";
import { readLocalLimits } from "../local-limits.ts";

const USAGE = `Usage: npm run demo [-- agents | fiat [--live] | wallets]

Signs up a developer, links two providers, adds a database, pulls and checks an environment, and deletes everything.

  agents          an agent is refused a database. Tests a draft policy on the refusals, switches it on, and approves the
                  agent's next request by email, in headless Chromium if it is installed. Then the agent pays, is refused,
                  is approved and is frozen
  fiat            links a bank account, converts dollars into USDC and back, and shows a return and a refusal. With --live
                  the tokens move on a chain of this machine
  wallets         mints USDC on a chain of this machine for a live wallet, pays from it, and freezes it on the chain
  --help          print this help

The demo starts all of Purser on free ports, in a temporary folder that is removed at the end.`;

const SHOWN = new Map<string, (context: DemoContext) => Promise<void>>([
  ["", showProject],
  ["agents", (context) => showAgents(context, process.env)],
  ["fiat", (context) => showFiat(context, "test")],
  ["fiat --live", (context) => showFiat(context, "live")],
  ["wallets", showWallets],
]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", short: "h" }, live: { type: "boolean" } },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}
const show = SHOWN.get([...positionals, ...(values.live ? ["--live"] : [])].join(" "));
if (show === undefined) {
  console.error(USAGE);
  process.exit(2);
}

const write = (text: string) => process.stdout.write(text);
await runDemo(show, write, { limits: readLocalLimits(process.env) }).catch((error: unknown) => {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
