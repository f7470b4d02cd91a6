import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../../e2e/src/signed-client.ts";
import { until } from "../../e2e/src/until.ts";
import { findOrdinaryUser } from "../../embedded-postgres/test/fixtures.ts";
import { processesOf } from "../../embedded-postgres/test/folder-processes.ts";
import {
  clientOf,
  launch,
  postmasterOf,
  type Started,
  start,
  untilNothingRuns,
  useLocalLab,
} from "./local-lab.ts";
import { logInAdmin } from "./log-in-admin.ts";
import { needsTools } from "./needs-tools.ts";

const lab = useLocalLab(afterEach);
const ordinaryUser = await findOrdinaryUser();

describe("npm start in a new folder", () => {
  const shared = useLocalLab(afterAll);
  let dataDir: string;
  let first: Started;

  beforeAll(async () => {
    dataDir = await shared.newDataDir();
    first = await start(dataDir);
  });

  it("prints one line of JSON that leads to everything, and nothing else on standard output", async () => {
    const { line, stdout, stderr } = first;

    const pair = (mode: string) => ({
      api_key: expect.stringMatching(new RegExp(`^svc_sk_${mode}_[\\w-]{43}$`)),
      api_secret: expect.stringMatching(new RegExp(`^svc_ss_${mode}_[\\w-]{64}$`)),
    });
    expect(line).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      docs_url: `${line.base_url}/docs`,
      mailbox_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      sandbox_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      demo: {
        email: "demo@purser.local",
        password: expect.stringMatching(/^.{16}$/),
        live: pair("live"),
        test: pair("test"),
      },
      admin: {
        email: "admin@purser.local",
        password: expect.stringMatching(/^.{24}$/),
        totp_secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      },
      pid: expect.any(Number),
    });
    expect(stdout()).toBe(`${JSON.stringify(line)}\n`);
    expect(stderr()).toMatch(/^Purser starts in .*\n {2}✓ PostgreSQL .*\n/);
    expect(await processesOf(dataDir)).toContainEqual(expect.objectContaining({ pid: line.pid }));
    for (const url of [
      line.docs_url,
      line.mailbox_url,
      line.sandbox_url,
      `${line.base_url}/readyz`,
    ]) {
      expect({ url, status: (await ask(url)).status }).toEqual({ url, status: 200 });
    }
    for (const mode of ["live", "test"] as const) {
      const { status, headers } = await clientOf(line, mode).get("/developers/me");
      expect({ status, mode: headers.get("x-svc-mode") }).toEqual({ status: 200, mode });
    }
    expect(await logInAdmin(line)).toBe(200);
  });

  it("keeps what is secret from everybody but its owner", async () => {
    expect(await readableByOthers(dataDir)).toEqual([]);
    expect(await readdir(dataDir)).toEqual(
      expect.arrayContaining([
        "admin.json",
        "claims.0",
        "demo.json",
        "postgres",
        "purser.log",
        "secrets",
      ]),
    );
  });

  it("refuses a second start on the same folder, which leaves the first one undisturbed", async () => {
    const { line } = first;
    const postmaster = await postmasterOf(dataDir);

    const second = launch(["--json", "--port", "0", "--data-dir", dataDir]);

    expect(await second.ended).toBe(1);
    expect(second.stdout()).toBe("");
    expect(second.stderr()).toContain(
      `is in use by process ${line.pid}. Stop that process, or choose another data folder.`,
    );
    expect((await clientOf(line).get("/developers/me")).status).toBe(200);
    expect(await postmasterOf(dataDir)).toBe(postmaster);
  });

  it("has the same keys and the same projects after a restart, and the limits of its environment", async () => {
    const made = await clientOf(first.line).post("/projects", { name: "Kept" });
    first.signal("SIGTERM");
    expect(await first.ended).toBe(0);

    const { line } = await start(dataDir, { environment: { PURSER_KEY_BURST: "77" } });

    expect(line.demo).toEqual(first.line.demo);
    expect(line.admin).toEqual(first.line.admin);
    const listed = await clientOf(line).get("/projects");
    expect(listed.body).toMatchObject({ data: [made.body] });
    expect((await clientOf(line).get("/limits")).body).toMatchObject({ data: [{ limit: 77 }] });
  });
});

describe("npm start", () => {
  it.skipIf(ordinaryUser === undefined)("runs as an ordinary user too", async () => {
    const dataDir = await lab.newDataDir(ordinaryUser);

    const { line, signal, ended } = await start(dataDir, {
      user: ordinaryUser ?? { uid: 0, gid: 0 },
    });

    expect((await clientOf(line).get("/developers/me")).status).toBe(200);
    expect((await stat(`/proc/${line.pid}`)).uid).toBe(ordinaryUser?.uid);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    signal("SIGTERM");
    expect(await ended).toBe(0);
  });

  it.skipIf(needsTools("sh", "openssl", "curl"))(
    "welcomes people with a signed request that works as it stands",
    async () => {
      const dataDir = await lab.stoppedDataDir();
      const launched = launch(["--port", "0", "--data-dir", dataDir]);
      const { value: printed } = await until(
        "the welcome is printed",
        async () => (launched.stderr().includes("Ctrl-C") ? launched.stderr() : undefined),
        20_000,
      );

      const script = printed.split("A signed request:\n")[1]?.split("Ctrl-C")[0] ?? "";
      const { stdout } = await promisify(execFile)("sh", ["-euc", script]);

      expect(JSON.parse(stdout)).toMatchObject({
        project_id: expect.stringMatching(/^proj_/),
        mode: "test",
      });
      expect(launched.stdout()).toBe("");
    },
  );

  it("says that a port is taken, and leaves nothing running", async () => {
    const dataDir = await lab.stoppedDataDir();
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";

    const launched = launch(["--json", "--port", port, "--data-dir", dataDir]);

    expect(await launched.ended).toBe(1);
    other.close();
    expect(launched.stdout()).toBe("");
    expect(launched.stderr()).toContain(
      `Port ${port} is taken by another program. Purser's API was to listen there.`,
    );
    expect(launched.stderr()).not.toMatch(/ at .*\.ts:\d+/);
    await untilNothingRuns(dataDir);
  });
});

/** The files that somebody else may read, and could get to. PostgreSQL's own folder is closed as a whole. */
async function readableByOthers(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const { mode } = await stat(path);
    if (entry.isFile() && (mode & 0o077) !== 0) found.push(path);
    if (entry.isDirectory() && (mode & 0o011) !== 0) found.push(...(await readableByOthers(path)));
  }
  return found;
}
