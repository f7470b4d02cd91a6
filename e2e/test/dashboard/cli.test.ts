import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROJECT_DIR } from "../../../local/test/local-profile.ts";
import { until } from "../../src/until.ts";
import { TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const POLICY = {
  rules: [{ id: "allow_usdc", effect: "allow", operation: "payment", when: { token: { in: ["USDC"] } } }],
  approvals: { threshold_usd: "10.00" },
};

interface Ran {
  readonly exitCode: number;
  readonly stderr: string;
  readonly data: Record<string, never>;
}

const dashboard = useDashboard();

describe.skipIf(dashboard.missing)(
  "the packed command line, installed in an empty folder",
  { timeout: TEST_MAX_MS },
  () => {
    let folder: string;
    let environment: Readonly<Record<string, string>>;
    const children: ChildProcess[] = [];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "purser-cli-"));
      const { PATH = "", HOME = "" } = process.env;
      // npm adds folders with Node 24 to the path. The package runs on the installed Node, which can be Node 20.
      const installed = PATH.split(delimiter).filter((each) => !each.includes("node_modules"));
      environment = {
        PATH: [join(folder, "node_modules/.bin"), ...installed].join(delimiter),
        HOME,
        PURSER_CONFIG_DIR: join(folder, ".config"),
        PURSER_BASE_URL: dashboard.line().base_url,
      };
      await promisify(execFile)("npm", ["run", "build:cli"], { cwd: PROJECT_DIR });
      await promisify(execFile)("npm", ["pack", join(PROJECT_DIR, "cli/dist")], { cwd: folder });
      await writeFile(join(folder, "package.json"), "{}");
      const install = ["install", "--offline", "--omit=optional", "purser-cli-0.1.0.tgz"];
      await promisify(execFile)("npm", install, { cwd: folder, env: environment });
    }, TEST_MAX_MS);
    afterAll(async () => {
      for (const child of children) child.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    });

    /** Starts a command as it is typed. Quotes work as in a shell. */
    function start(line: string) {
      const child = spawn("sh", ["-c", `exec ${line}`], {
        cwd: folder,
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
      });
      children.push(child);
      const written = { out: "", err: "" };
      child.stdout.on("data", (chunk) => {
        written.out += chunk;
      });
      child.stderr.on("data", (chunk) => {
        written.err += chunk;
      });
      const ended = new Promise<Ran>((resolve) => {
        child.once("close", (code) => {
          const data = written.out.startsWith("{") ? JSON.parse(written.out).data : written.out;
          resolve({ exitCode: code ?? -1, stderr: written.err, data });
        });
      });
      return { child, ended, stderr: () => written.err };
    }

    const run = (line: string) => start(line).ended;

    /** Runs a command that must succeed. Returns its data. */
    async function ok(line: string): Promise<Record<string, never>> {
      const { exitCode, stderr, data } = await run(line);
      expect(`${line}: ${exitCode} ${stderr}`).toMatch(/: 0 /);
      return data;
    }

    /** Reads a URL that the command prints. */
    async function printedUrl(stderr: () => string): Promise<string> {
      const read = async () => /http:\S+/.exec(stderr())?.[0];
      return (await until("the command has printed a URL", read, TEST_MAX_MS)).value;
    }

    async function logIn(page: Page): Promise<void> {
      const { ended, stderr } = start("purser login --name laptop");
      await page.goto(await printedUrl(stderr));
      await page.getByRole("button", { name: "Approve with a test key" }).click();
      await page.getByRole("heading", { name: "Approved" }).waitFor();
      expect((await ended).data).toMatchObject({ email: "demo@purser.local", mode: "test" });
    }

    async function link(page: Page): Promise<void> {
      const { url, link_id } = await ok("purser link neon");
      await page.goto(url ?? "");
      await page.getByLabel("Token").fill("sandbox-ada");
      await page.getByRole("button", { name: /^Link / }).click();
      const linked = async () => ((await ok(`purser links get ${link_id}`))["status"] === "linked" ? true : undefined);
      await until("the project is linked", linked, TEST_MAX_MS);
    }

    /** A payment above the policy's threshold waits, a person approves it in the browser, and the command then ends. */
    async function payWithApproval(page: Page, agent: string): Promise<void> {
      const paid = await run(`purser pay --agent-id ${agent} --amount 20.00 --to ${PAYEE} --purpose Weather`);
      expect([paid.exitCode, paid.data["status"]]).toEqual([5, "requires_approval"]);
      const { approval_id, approve_page_url } = paid.data["approval"] as unknown as Record<string, string>;
      const waiting = start(`purser approvals wait ${approval_id}`);
      await page.goto(approve_page_url ?? "");
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      expect(await waiting.ended).toMatchObject({ exitCode: 0, data: { status: "approved" } });
    }

    async function verifyOffline(paymentId: string): Promise<void> {
      const live = dashboard.line().demo.live;
      environment = { ...environment, LIVE: `${live.api_key} ${live.api_secret}` };
      await ok('purser login --profile live --with-key "$LIVE"');
      await ok("purser audit export chain.jsonl --profile live");
      await ok("purser audit checkpoints --all --profile live --output checkpoints.json");
      await ok('curl -sS -o jwks.json "$PURSER_BASE_URL/.well-known/jwks.json"');
      const keys = "--keys jwks.json --checkpoints checkpoints.json";
      expect(await ok(`purser audit verify --offline chain.jsonl ${keys}`)).toMatchObject({ valid: true });
      const chain = await readFile(join(folder, "chain.jsonl"), "utf8");
      await writeFile(join(folder, "forged.jsonl"), chain.replace("demo", "demi"));
      expect(await run(`purser audit verify --offline forged.jsonl ${keys}`)).toMatchObject({
        exitCode: 1,
        data: { valid: false },
      });

      await ok("purser switch default");
      await ok(`purser payments get ${paymentId} --output payment.json`);
      expect(await ok("purser receipt verify payment.json --keys jwks.json")).toEqual({
        valid: true,
        kind: "payment receipt",
      });
      const payment = await readFile(join(folder, "payment.json"), "utf8");
      await writeFile(
        join(folder, "payment-2.json"),
        payment.replace('"paid_amount": "5.00"', '"paid_amount": "6.00"'),
      );
      expect(await run("purser receipt verify payment-2.json --keys jwks.json")).toMatchObject({ exitCode: 1 });
    }

    it("goes from a login in the browser to a database, a payment, an approval, a freeze and a verified audit trail", async () => {
      const { page, problems } = await dashboard.open("/keys");
      await logIn(page);
      const project = await ok('purser projects create "From the command line"');
      await ok(`purser init --project ${project["project_id"]}`);
      await link(page);
      await ok("purser add neon/postgres --plan free");

      expect((await run("purser env pull --check")).exitCode).toBe(10);
      await ok("purser env pull");
      await ok("purser env pull --check");
      expect(await readFile(join(folder, ".env"), "utf8")).toMatch(/^DATABASE_URL='postgres/m);
      expect((await run(`purser env run -- sh -c 'test -n "$DATABASE_URL" && echo found'`)).data).toBe("found\n");

      const agent: string = (await ok("purser agents create buyer"))["agent_id"] ?? "";
      const wallet = await ok(`purser wallets create --agent-id ${agent} --network base`);
      await ok(`purser wallets fund ${wallet["wallet_id"]} --amount 100.00`);
      await writeFile(join(folder, "policy.json"), JSON.stringify({ ...POLICY, applies_to: { agent_ids: [agent] } }));
      await ok("purser policies create --name buyer --data @policy.json");
      const paid = await ok(`purser payments send --agent-id ${agent} --amount 5.00 --to ${PAYEE}`);
      expect(paid["status"]).toBe("confirmed");
      await payWithApproval(page, agent);
      // The page has a script of its own, which its policy allows by its hash.
      const expected = problems.splice(0);
      expect(expected.filter((problem) => !problem.includes("/approve/apr_"))).toEqual([]);

      await ok(`purser freeze ${wallet["wallet_id"]} --reason anomaly`);
      const refused = await run(`purser pay --agent-id ${agent} --amount 5.00 --to ${PAYEE}`);
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("wallet_frozen") });
      await verifyOffline(paid["payment_id"] ?? "");
      await ok("purser doctor");
      await ok("purser logout");
    });

    it("exit code 130: Ctrl-C during a login leaves nothing behind", async () => {
      const { child, ended, stderr } = start("purser login --profile interrupted");
      await printedUrl(stderr);
      child.kill("SIGINT");

      expect((await ended).exitCode).toBe(130);
      expect((await run("purser whoami --profile interrupted")).exitCode).toBe(4);
    });
  },
);
