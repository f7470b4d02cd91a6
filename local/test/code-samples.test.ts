import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../e2e/src/until.ts";
import { submitForm } from "../src/demo/submit-form.ts";
import { PROJECT_DIR, start, useLocalProfile } from "./local-profile.ts";
import { needsTools } from "./needs-tools.ts";
import { typescriptProblems } from "./typescript-problems.ts";

const RUN_MAX_MS = 30_000;
/** Node's arguments before the source of a program in TypeScript. */
const TYPESCRIPT = ["--no-warnings", "--input-type=module-typescript", "--eval"];

interface Sample {
  readonly lang: "TypeScript" | "Shell";
  readonly source: string;
}

const document = JSON.parse(await readFile(join(PROJECT_DIR, "openapi/openapi.json"), "utf8"));
const samples = new Map<string, readonly Sample[]>(
  Object.values<Record<string, { operationId: string; "x-codeSamples"?: Sample[] }>>(document.paths).flatMap(
    (methods) =>
      Object.values(methods).flatMap(({ operationId, "x-codeSamples": own }) =>
        own === undefined ? [] : [[operationId, own] as const],
      ),
  ),
);

function sampleOf(operationId: string, lang: Sample["lang"]): string {
  const sample = samples.get(operationId)?.find((one) => one.lang === lang);
  if (sample === undefined) throw new Error(`${operationId} has no ${lang} sample`);
  return sample.source;
}

type Call = [operationId: string, ids?: Readonly<Record<string, string>>];

/**
 * Calls that create the objects that the other calls need. The second element of an entry maps environment variables to
 * response fields. Each variable is set to the value of its field. Later samples use these variables.
 */
const CREATE: readonly Call[] = [
  ["createWebhook", { WEBHOOK_ID: "webhook_id" }],
  ["updateWebhook"],
  ["rotateWebhookSecret"],
  ["testWebhook"],
  ["createApiKey", { KEY_ID: "key_id" }],
  ["testSignature"],
  ["rotateApiKey"],
  ["saveProviderKeys"],
  ["createProject", { PROJECT_ID: "project_id" }],
  ["updateProject"],
  ["listEvents", { EVENT_ID: "data.0.id" }],
  ["replayWebhook"],
  ["setVariable"],
  ["attachPaymentMethod"],
  ["linkProvider", { LINK_ID: "link_id", LINK_URL: "url" }],
  ["addService", { SERVICE_ID: "service.service_id", OPERATION_ID: "operation.operation_id" }],
  ["rotateService"],
  // It waits for an approval.
  ["upgradeService"],
  ["previewProjectDeletion"],
  ["createPolicy", { POLICY_ID: "policy_id", VERSION: "version" }],
  ["updatePolicy"],
  ["rollBackPolicy"],
  ["evaluatePolicies"],
  ["createAgent", { AGENT_ID: "agent_id" }],
  ["backtestPolicy"],
  ["updateAgent"],
  ["createAgentKey"],
  ["createWallet", { WALLET_ID: "wallet_id" }],
  ["updateWallet"],
  ["fundWallet"],
  ["simulatePayment"],
  ["sendPayment", { PAYMENT_ID: "payment_id" }],
  ["linkAccount", { LINK_TOKEN: "link_token" }],
  ["verifyAccount", { ACCOUNT_ID: "account.account_id" }],
  ["onRamp", { CONVERSION_ID: "conversion_id" }],
  ["cancelConversion"],
  ["offRamp"],
  ["freezeWallet"],
  ["freezeWalletOnChain"],
  ["unfreezeWallet"],
  ["triggerKillSwitch", { KILL_SWITCH_ID: "kill_switch_id" }],
  ["reconcileKillSwitch"],
  ["suspendAgent"],
  ["resumeAgent"],
];
const DELETE: readonly Call[] = [
  ["deleteWebhook"],
  ["removeBankAccount"],
  // An agent whose wallet has a balance cannot be deleted.
  ["createAgent", { AGENT_ID: "agent_id" }],
  ["revokeAgent"],
  ["deleteAgent"],
  ["deletePolicy"],
  ["removeService"],
  ["revokeLink"],
  ["deleteVariable"],
  ["deleteProject"],
  ["removeProviderKeys"],
  ["revokeApiKey"],
];
/** It does not end. */
const STREAM = "streamEvents";
const READ = [...samples.entries()].flatMap(([operationId]): Call[] =>
  operationId !== STREAM && sampleOf(operationId, "Shell").startsWith("METHOD=GET") ? [[operationId]] : [],
);
const CALLS = [...CREATE, ...READ, ...DELETE];
const NOT_CALLED = [
  STREAM,
  // These need a key with a scope that must be named, and decide an approval for ever.
  "approveApproval",
  "denyApproval",
  // The provider of the service has no deep links.
  "createDeepLink",
  // Needs a quote.
  "executeConversion",
  // Each needs a payment with another status.
  "capturePayment",
  "voidPayment",
  "refundPayment",
  "cancelPayment",
];

/** Creates a test key with all scopes of the live key, and prints it. */
const CREATE_TEST_KEY = `
import { Purser } from "@purser/sdk";
const purser = new Purser();
const { data } = await purser.developers.keys.list();
const scopes = data.find(({ mode }) => mode === "live").scopes;
console.log(JSON.stringify(await purser.developers.keys.issue({ name: "samples", mode: "test", scopes })));
`;

/** Asks for a service that exceeds the project's cap, removes it, and prints the id of the canceled approval. */
const ASK_FOR_APPROVAL = `
import { Purser } from "@purser/sdk";
const purser = new Purser();
const { PROJECT_ID = "" } = process.env;
await purser.projects.update(PROJECT_ID, { monthly_cap: "0", cap_behavior: "require_approval" });
const added = await purser.projects.services.add(PROJECT_ID, { service: "neon/postgres", plan: "launch" });
await purser.projects.services.remove(PROJECT_ID, added.service.service_id);
console.log(added.approval?.approval_id);
`;

describe.skipIf(needsTools("sh", "openssl", "curl"))("code samples of the API reference", () => {
  const lab = useLocalProfile(afterAll);
  let environment: NodeJS.ProcessEnv;
  let plaidUrl: string;

  beforeAll(async () => {
    const { line } = await start(await lab.stoppedDataDir());
    const { data } = JSON.parse(await (await fetch(`${line.sandbox_url}/api/vendors`)).text());
    plaidUrl = data.find(({ vendor }: { readonly vendor: string }) => vendor === "plaid").url;
    environment = {
      PATH: process.env["PATH"],
      PURSER_BASE_URL: line.base_url,
      PURSER_API_KEY: line.demo.live.api_key,
      PURSER_API_SECRET: line.demo.live.api_secret,
    };
    // The samples pay, which only test keys can. A test key has the scope `audit:read` only if it is named.
    const pair = JSON.parse(await run(process.execPath, [...TYPESCRIPT, CREATE_TEST_KEY]));
    const [PURSER_API_KEY, PURSER_API_SECRET] = [pair.api_key, pair.api_secret];
    environment = { ...environment, PURSER_API_KEY, PURSER_API_SECRET };
  });

  async function run(program: string, words: readonly string[]): Promise<string> {
    const options = { cwd: PROJECT_DIR, env: environment, timeout: RUN_MAX_MS };
    return (await promisify(execFile)(program, words, options)).stdout;
  }

  /** Runs a sample, and repeats it after a 503, which a busy machine can cause. */
  async function runInShell(operationId: string, attempts = 3): Promise<string> {
    return run("sh", ["-euc", sampleOf(operationId, "Shell")]).catch((error: Error) => {
      if (attempts === 1 || !error.message.includes("returned error: 503")) throw error;
      return runInShell(operationId, attempts - 1);
    });
  }

  /** Logs in at the bank, as a user does in a browser. */
  async function chooseAccount(): Promise<void> {
    const page = await submitForm(`${plaidUrl}/link?token=${environment["LINK_TOKEN"]}`, { user: "good" });
    const codes = [...(await page.text()).matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code);
    const [PUBLIC_TOKEN, PLAID_ACCOUNT_ID] = codes;
    environment = { ...environment, PUBLIC_TOKEN, PLAID_ACCOUNT_ID };
  }

  /** Waits until no conversion uses the bank account. */
  async function waitForConversions(): Promise<void> {
    await until("the conversions have ended", async () => {
      const { data } = JSON.parse(await runInShell("listConversions"));
      const isOver = ({ status }: { readonly status: string }) => status === "completed" || status === "canceled";
      return data.every(isOver) || undefined;
    });
  }

  /** What a person does after a call, or what a later call needs. */
  const AFTER: Readonly<Record<string, () => Promise<void>>> = {
    linkProvider: async () => void (await submitForm(environment["LINK_URL"] ?? "", { token: "sandbox-neon" })),
    linkAccount: chooseAccount,
    addService: async () => {
      const APPROVAL_ID = (await run(process.execPath, [...TYPESCRIPT, ASK_FOR_APPROVAL])).trim();
      environment = { ...environment, APPROVAL_ID };
    },
  };

  it("run for every signed operation", () => {
    const called = [...CALLS.map(([operationId]) => operationId), ...NOT_CALLED];
    expect([...new Set(called)].sort()).toEqual([...samples.keys()].sort());
  });

  it.each(CALLS)("run in a shell as printed: %s", async (operationId = "", ids = {}) => {
    if (operationId === "removeBankAccount") await waitForConversions();
    const answer = await runInShell(operationId);

    for (const [name, path] of Object.entries(ids)) {
      const value = path.split(".").reduce((object, key) => object[key], JSON.parse(answer));
      environment = { ...environment, [name]: value };
    }
    await AFTER[operationId]?.();
  });

  it("run with the TypeScript SDK as printed", async () => {
    const created = await run(process.execPath, [...TYPESCRIPT, sampleOf("createProject", "TypeScript")]);
    const listed = await run(process.execPath, [...TYPESCRIPT, sampleOf("listProjects", "TypeScript")]);

    expect(created).toContain('name: "My App"'.replaceAll('"', "'"));
    expect(listed).toContain("'My App'");
  });

  it("compile against the TypeScript SDK", () => {
    const sources = new Map(
      [...samples].flatMap(([operationId, own]) =>
        own
          .filter(({ lang }) => lang === "TypeScript")
          .map(({ source }) => [`sample.${operationId}.ts`, source] as const),
      ),
    );

    expect(sources.size).toBeGreaterThan(35);
    expect(typescriptProblems(sources)).toEqual([]);
  });
});
