import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import type { KitResult } from "./provider-kit/kit.ts";
import { runProviderKit } from "./provider-kit/run-provider-kit.ts";

const USAGE = `Usage: npm run provider-kit -- URL [options]

Leads a provider that implements the agentic provisioning protocol 0.1d through its life, and prints what it does wrong.
It creates accounts and one resource, and removes the resource. The exit code is 1 if a check fails.

  --client-id URL        the URL of your client's metadata document (default https://purser.sandbox.invalid/client.json)
  --payment-token TOKEN  sent with paid plans, if the provider bills the orchestrator
  --approve              submits the form of the consent page, for simulated providers. Without it, the kit prints the
                         page's URL and reads the URL that the page redirects to
  --json                 print one line of JSON on standard output
  --help                 print this help`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", short: "h" },
    json: { type: "boolean" },
    approve: { type: "boolean" },
    "client-id": { type: "string", default: "https://purser.sandbox.invalid/client.json" },
    "payment-token": { type: "string" },
  },
});
const [url] = positionals;
if (values.help) {
  console.log(USAGE);
  process.exit();
}
if (url === undefined || positionals.length > 1 || !URL.canParse(url)) {
  console.error(USAGE);
  process.exit(2);
}

const results = await runProviderKit({
  baseUrl: url.replace(/\/+$/, ""),
  clientId: values["client-id"],
  paymentToken: values["payment-token"],
  consent: values.approve ? approve : ask,
});
const failed = results.filter(({ outcome }) => outcome === "failed");
if (values.json) console.log(JSON.stringify({ passed: failed.length === 0, results }));
else for (const line of [...results.map(lineOf), summaryOf(results)]) console.log(line);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Submits the page's form as a user who allows access. */
async function approve(page: string): Promise<string> {
  const response = await fetch(page, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ decision: "allow" }),
  });
  return response.headers.get("location") ?? "";
}

async function ask(page: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`Open ${page}\nand paste the URL that it redirects to: `);
  terminal.close();
  return answer.trim();
}

function lineOf({ check, outcome, detail }: KitResult): string {
  const mark = { passed: "ok  ", failed: "FAIL", skipped: "-   " }[outcome];
  return `${mark} ${check}${detail === null ? "" : `: ${detail}`}`;
}

function summaryOf(all: readonly KitResult[]): string {
  const count = (outcome: KitResult["outcome"]) => all.filter((each) => each.outcome === outcome).length;
  return `\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
}
