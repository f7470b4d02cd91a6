import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { endProcessesUsing, findProcessesUsing, isPostmaster } from "../../embedded-postgres/test/folder-processes.ts";
import { removeKilledRuns } from "./global-setup.ts";

const ROOT = join(import.meta.dirname, "../..");
/** The PostgreSQL servers of the killed run: one from its global setup and one from each of its two test files. */
const SERVERS = 3;
const RUN_MAX_MS = 120_000;

it(
  "removeKilledRuns stops the processes and deletes the folders of a killed test run",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "purser-killed-"));
    await chmod(folder, 0o755);
    onTestFinished(async () => {
      await endProcessesUsing(folder);
      await rm(folder, { recursive: true, force: true });
    });
    // Counts distinct command lines instead of processes. A process that a server has just forked still has the
    // server's command line, and must not count as another server.
    const serversOf = async () =>
      new Set((await findProcessesUsing(folder)).filter(isPostmaster).map((each) => each.commandLine)).size;
    const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
    const config = join(ROOT, "service/test/killed-run/vitest.config.ts");
    const run = spawn(process.execPath, [vitest, "run", "--root", ROOT, "--config", config], {
      env: { PATH: process.env["PATH"], TMPDIR: folder },
      stdio: "ignore",
    });
    const ended = once(run, "exit");
    await vi.waitUntil(async () => (await serversOf()) === SERVERS, { timeout: RUN_MAX_MS });

    await removeKilledRuns(folder);
    expect(await serversOf()).toBe(SERVERS);
    run.kill("SIGKILL");
    await ended;
    await removeKilledRuns(folder);

    expect(await findProcessesUsing(folder)).toEqual([]);
    // Vitest leaves a folder of its own.
    expect((await readdir(folder)).filter((name) => name.startsWith("purser-"))).toEqual([]);
  },
  RUN_MAX_MS,
);
