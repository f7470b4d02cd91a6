import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { isOnPath } from "../../../../service/test/fast-state/redis.ts";

/** The programs that the campaign needs, with their packages in Debian. */
const PACKAGES = { etcd: "etcd-server", haproxy: "haproxy", "redis-server": "redis-server" };

/** Throws if a program is missing. The message says what to install. */
export function requirePrograms(): void {
  const missing = Object.entries(PACKAGES).filter(([program]) => !isOnPath(program));
  if (missing.length === 0) return;
  throw new Error(`Programs are missing. Debian: apt-get install ${missing.map(([, name]) => name).join(" ")}`);
}

/** Starts a program that runs until it is stopped or this process ends. */
export function startProgram(name: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(name, args, { stdio: "ignore", ...options });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  return child;
}

/** Sends SIGTERM and waits for the exit. */
export async function stopProgram(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
