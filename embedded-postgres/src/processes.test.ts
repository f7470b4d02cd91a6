import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { spawnZombie } from "../test/fixtures.ts";
import { poll } from "./poll.ts";
import { type ProcessTable, procTable, psTable } from "./processes.ts";

function sleeper() {
  const child = spawn("sleep", ["61"], { argv0: "a (strange) name" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const tables: [string, () => ProcessTable][] = [["ps", psTable]];
if (process.platform === "linux") tables.push(["/proc", procTable]);

describe.each(tables)("the process table from %s", (_name, makeTable) => {
  const table = makeTable();

  test("found: the command line and a constant start time", async () => {
    const { pid = 0 } = sleeper();

    const first = await table.find(pid);
    const second = await table.find(pid);

    expect(first).toMatchObject({ pid, commandLine: "a (strange) name 61" });
    expect(first?.startTime).toMatch(/\d/);
    expect(second).toEqual(first);
    expect(await table.list()).toContainEqual({ pid, commandLine: "a (strange) name 61" });
  });

  test("not found: the process has exited", async () => {
    const child = sleeper();
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;

    expect(await table.find(child.pid ?? 0)).toBeUndefined();
  });

  test("not found: the process is a zombie", async () => {
    const pid = await spawnZombie();

    const isAbsent = await poll(5_000, async () => ((await table.find(pid)) ? undefined : true));

    expect(isAbsent).toBe(true);
    expect(process.kill(pid, 0)).toBe(true);
  });
});

test("/proc shows different start times for processes that started one after another", async (context) => {
  if (process.platform !== "linux") return context.skip("reads /proc");
  const table = procTable();

  const [self, parent] = await Promise.all([table.find(process.pid), table.find(process.ppid)]);

  expect(self?.startTime).not.toBe(parent?.startTime);
});
