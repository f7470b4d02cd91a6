import { spawn } from "node:child_process";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { foundryBinary } from "@purser/contracts/chain/foundry-binary.ts";
import { BaseError, http } from "viem";
import { readPrivateFile, writePrivateFile } from "../private-file.ts";
import { reservePort } from "../reserve-port.ts";

const START_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 5_000;
const CALL_TIMEOUT_MS = 10_000;

/** A running anvil. It goes on if this process is killed, and the next start finds it again. */
export interface Anvil {
  readonly rpcUrl: string;
  readonly call: RpcCall;
  hasEnded(): boolean;
  /** Ends the process and waits until it has ended. */
  stop(): Promise<void>;
}

export type RpcCall = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** How another process finds an anvil again. */
interface AnvilRecord {
  readonly pid: number;
  readonly port: number;
  /** Tells this anvil from another one on the same port. */
  readonly instanceId: unknown;
}

/** The files of a network: the state of its chain, the record of its process, and its log. */
export interface AnvilFiles {
  readonly state: string;
  readonly process: string;
  readonly log: string;
}

export function anvilFilesOf(folder: string, network: string): AnvilFiles {
  const file = (ending: string) => join(folder, `${network}.${ending}`);
  return { state: file("state.json"), process: file("process.json"), log: file("log") };
}

/** Returns the anvil that an earlier start has left running, or undefined. Throws if it runs and does not answer. */
export async function findAnvil(files: AnvilFiles): Promise<Anvil | undefined> {
  const text = await readPrivateFile(files.process);
  if (text === undefined) return undefined;
  const record: AnvilRecord = JSON.parse(text);
  const anvil = anvilOf(record, files);
  const instanceId = await instanceIdOf(anvil.call).catch((error: unknown) => {
    // A second anvil with the same state would save it over what the first one saves.
    if (isRefused(error) || anvil.hasEnded()) return undefined;
    throw new Error(`The process ${record.pid} is anvil, and does not answer. End it or wait.`, { cause: error });
  });
  return instanceId !== undefined && instanceId === record.instanceId ? anvil : undefined;
}

/** Starts anvil with the saved state, if there is one. Throws if its package is not installed or it does not start. */
export async function startAnvil(files: AnvilFiles, chainId: number): Promise<Anvil> {
  const binary = foundryBinary("anvil");
  const folder = dirname(files.state);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const reserved = await reservePort(0);
  await reserved.release();
  const hasState = (await readPrivateFile(files.state)) !== undefined;
  // Its command line names the folder, so a list of processes shows whose anvil it is.
  const paths = ["--cache-path", folder, ...(hasState ? ["--load-state", files.state] : [])];
  const address = ["--host", "127.0.0.1", "--port", String(reserved.port), "--no-cors"];
  await using log = await open(files.log, "a", 0o600);
  const child = spawn(binary, [...address, "--chain-id", String(chainId), "--silent", ...paths], {
    // In a session of its own, Ctrl-C does not end it before its state is saved.
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  child.unref();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  child.once("error", failed.reject);
  child.once("exit", () => failed.reject(new Error(`anvil has ended. Its log is ${files.log}.`)));

  // Without a process there is no pid. Signals to the pid 0 would go to this process and its group.
  if (child.pid === undefined) return await failed.promise;
  const started = { pid: child.pid, port: reserved.port };
  const anvil = anvilOf(started, files);
  const instanceId = await Promise.race([untilReady(anvil), failed.promise]).catch(async (error: unknown) => {
    await anvil.stop();
    throw error;
  });
  const record: AnvilRecord = { ...started, instanceId };
  await writePrivateFile(files.process, JSON.stringify(record));
  return anvil;
}

function anvilOf({ pid, port }: Pick<AnvilRecord, "pid" | "port">, files: AnvilFiles): Anvil {
  const rpcUrl = `http://127.0.0.1:${port}`;
  const { request } = http(rpcUrl, { retryCount: 0, timeout: CALL_TIMEOUT_MS })({});
  return {
    rpcUrl,
    call: async (method, params = []) => await request({ method, params }),
    hasEnded: () => !signal(pid, 0),
    stop: async () => {
      await endProcess(pid);
      await rm(files.process, { force: true });
    },
  };
}

async function untilReady({ call, hasEnded }: Anvil): Promise<unknown> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await instanceIdOf(call);
    } catch (error) {
      if (performance.now() > deadlineMs || hasEnded()) throw error;
      await delay(20);
    }
  }
}

async function instanceIdOf(call: RpcCall): Promise<unknown> {
  return Object(await call("anvil_metadata")).instanceId;
}

async function endProcess(pid: number): Promise<void> {
  const deadlineMs = performance.now() + STOP_TIMEOUT_MS;
  signal(pid, "SIGTERM");
  while (signal(pid, performance.now() > deadlineMs ? "SIGKILL" : 0)) await delay(20);
}

/** Sends a signal to a process. Returns false if it has ended. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof BaseError && error.walk((cause) => Object(cause).code === "ECONNREFUSED") !== null;
}
