import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Purser } from "@purser/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { submitForm } from "../src/demo/submit-form.ts";
import { blocksOf, withoutChances } from "./docs-pages.ts";
import { PROJECT_DIR, type StartLine, start, useLocalProfile } from "./local-profile.ts";
import { typescriptProblems } from "./typescript-problems.ts";

const FRAMEWORKS = ["ai-sdk", "langchain", "openai-agents"];
const RUN_MAX_MS = 30_000;

type Rules = Parameters<Purser["policies"]["create"]>[0]["rules"];

const ALLOW: Rules = [
  { id: "payments", effect: "allow", operation: "payment" },
  { id: "free", effect: "allow", operation: "service.add", when: { monthly_cost_usd: { lte: "0.00" } } },
];
const ASK: Rules = [{ id: "ask", effect: "require_approval", operation: "payment" }];

function dailyBudget(max: string): Rules {
  return [{ id: "daily", effect: "limit", operation: "payment", budget: { max, period: "rolling_24h" } }];
}

/** Returns the nth block of a recipe's page that has this mark. */
function codeOf(framework: string, mark: string, index = 0): string {
  const block = blocksOf(`recipes/${framework}.md`).filter((one) => one.mark === mark)[index];
  if (block === undefined) throw new Error(`docs/recipes/${framework}.md has not enough blocks {${mark}}.`);
  return block.code;
}

describe("the recipes for agent frameworks", () => {
  const lab = useLocalProfile(afterAll);
  let top: string;
  let line: StartLine;
  let owner: Purser;

  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), "purser-recipes-"));
    const build = [join(PROJECT_DIR, "scripts/build-cli.ts"), join(top, "cli")];
    const [started] = await Promise.all([
      lab.stoppedDataDir().then((dir) => start(dir)),
      promisify(execFile)(process.execPath, build),
    ]);
    line = started.line;
    const { api_key: apiKey, api_secret: apiSecret } = line.demo.test;
    owner = new Purser({ apiKey, apiSecret, baseUrl: line.base_url, maxRetries: 5 });
    // The command `purser` of the packed CLI, and the `node` that it asks for. Nothing else is on the programs' path.
    await mkdir(join(top, "bin"));
    await symlink(join(top, "cli/purser.js"), join(top, "bin/purser"));
    await symlink(process.execPath, join(top, "bin/node"));
    await symlink(join(PROJECT_DIR, "node_modules"), join(top, "node_modules"));
    return () => rm(top, { recursive: true });
  });

  /** Creates an agent with a policy, a wallet and a key, and a project that is linked to Neon. */
  async function createBuyer(name: string, rules: Rules) {
    const { policy_id } = await owner.policies.create({ name, rules: [...ALLOW, ...rules] });
    const { agent_id } = await owner.agents.create({ name, policy_id });
    const { wallet_id } = await owner.wallets.create({ agent_id, network: "base" });
    await owner.wallets.fund(wallet_id, { amount: "100.00" });
    const { project_id } = await owner.projects.create({ name, agent_ids: [agent_id], monthly_cap: "50.00" });
    const { url } = await owner.projects.links.begin(project_id, { provider: "neon" });
    await submitForm(url ?? "", { token: "sandbox-ada" });
    const pair = await owner.agents.createKey(agent_id, { name });
    const environment = {
      PURSER_BASE_URL: line.base_url,
      PURSER_API_KEY: pair.api_key,
      PURSER_API_SECRET: pair.api_secret ?? "",
      PURSER_AGENT_ID: agent_id,
      PURSER_PROJECT: project_id,
    };
    return { agent_id, project_id, environment };
  }

  /** Runs the page's program with a scripted model. Returns what it prints, and what the API has afterwards. */
  async function runRecipe(framework: string, name: string, rules: Rules) {
    const { agent_id, project_id, environment } = await createBuyer(name, rules);
    const folder = join(top, name);
    await mkdir(folder);
    await writeFile(join(folder, "buy.ts"), codeOf(framework, "program"));
    await symlink(join(PROJECT_DIR, `e2e/test/scripted-models/${framework}.ts`), join(folder, "model.ts"));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--no-warnings", "buy.ts"], {
      cwd: folder,
      env: { PATH: join(top, "bin"), OPENAI_AGENTS_DISABLE_TRACING: "1", ...environment },
      timeout: RUN_MAX_MS,
    });
    const [services, payments] = await Promise.all([
      owner.projects.services.list(project_id),
      owner.payments.list({ agent_id }),
    ]);
    return { stdout, stderr, services: services.data, payments: payments.data };
  }

  const DATABASE = { service: "neon/postgres", plan: "free", status: "active" };

  it.each(FRAMEWORKS)("%s: the agent adds the database and pays the invoice", async (framework) => {
    const { stdout, stderr, services, payments } = await runRecipe(framework, `${framework}-in`, dailyBudget("20.00"));
    expect(stderr).toBe("");
    expect(services).toMatchObject([DATABASE]);
    expect(payments).toMatchObject([{ status: "confirmed", amount: "5.00", reference: "invoice 42" }]);
    expect(withoutChances(stdout)).toBe(withoutChances(codeOf(framework, "answer")));
  });

  it.each(FRAMEWORKS)("%s: a payment over the budget is refused, and the database stays", async (framework) => {
    const { stdout, stderr, services, payments } = await runRecipe(framework, `${framework}-over`, dailyBudget("3.00"));
    expect(stderr).toBe("");
    expect(services).toMatchObject([DATABASE]);
    expect(payments).toEqual([]);
    expect(withoutChances(stdout)).toBe(withoutChances(codeOf(framework, "answer", 1)));
  });

  it.each(FRAMEWORKS)("%s: the agent says where a person approves the payment", async (framework) => {
    const { stdout, services, payments } = await runRecipe(framework, `${framework}-ask`, [
      ...ASK,
      ...dailyBudget("20.00"),
    ]);
    expect(services).toMatchObject([DATABASE]);
    expect(payments).toMatchObject([{ status: "requires_approval", amount: "5.00" }]);
    expect(stdout).toContain(`${line.base_url}/approve/apr_`);
  });

  it("the pages' programs have no type errors", () => {
    const sources = FRAMEWORKS.flatMap((framework) => [
      [`${framework}-model.ts`, codeOf(framework, "model")] as const,
      [`${framework}.ts`, codeOf(framework, "program").replace('"./model.ts"', `"./${framework}-model.ts"`)] as const,
    ]);
    expect(typescriptProblems(new Map(sources))).toEqual([]);
  }, 60_000);
});
