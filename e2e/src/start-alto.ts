import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ENTRY_POINT } from "@purser/service/crypto/agent-account.ts";
import { reservePort } from "../../local/src/reserve-port.ts";
import { until } from "./until.ts";

const PROGRAM = join(import.meta.dirname, "../bundler/node_modules/@pimlico/alto/esm/cli/alto.js");
const HOST = "127.0.0.1";
/** The key of anvil's last account but one, which is public. The account is that of the simulated bundler. */
const EXECUTOR_KEY = "0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97";
const START_MAX_MS = 60_000;
const LOG_CHARACTERS_SHOWN = 4_000;

const CHAIN_OPTIONS = {
  entrypoints: ENTRY_POINT,
  "executor-private-keys": EXECUTOR_KEY,
  "utility-private-key": EXECUTOR_KEY,
  // Its safe mode cannot simulate for EntryPoint 0.8: https://github.com/pimlicolabs/alto/issues/756
  "safe-mode": "false",
  "min-executor-balance": "0",
  "utility-wallet-monitor": "false",
  "refilling-wallets": "false",
  "min-bundle-interval": "50",
  "max-bundle-interval": "200",
};

export interface Alto {
  /** The base URL, below which a network has the path that it has at Pimlico. */
  readonly url: string;
  /** Starts the process. Until then, calls are answered with 503. */
  start(rpcUrl: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Prepares Alto, the bundler of Pimlico (https://github.com/pimlicolabs/alto), as a process of its own that serves one chain.
 * The process listens on all addresses of the machine, because Alto has no option for that. Throws if it is not installed.
 */
export async function prepareAlto(program = PROGRAM): Promise<Alto> {
  if (!existsSync(program)) throw new Error("Alto is not installed. Install it with: npm ci --prefix e2e/bundler");
  const { port, release } = await reservePort(0);
  // Alto's own path has no chain id.
  const server = createServer(async (request, response) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: await text(request) };
    const answer = await fetch(`http://${HOST}:${port}/v2/rpc`, init).catch(() => undefined);
    response.writeHead(answer?.status ?? 503, { "content-type": "application/json" });
    response.end(await answer?.text());
  });
  server.listen(0, HOST);
  await once(server, "listening");
  let stop = async () => {};
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    start: async (rpcUrl) => {
      await release();
      stop = await launch(program, { ...CHAIN_OPTIONS, "rpc-url": rpcUrl, port: String(port) });
    },
    close: async () => {
      await release();
      server.close();
      server.closeAllConnections();
      await stop();
    },
  };
}

/** Starts Alto and waits until it answers. Returns what ends it. */
async function launch(program: string, options: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (log += chunk));

  const isReady = async () => {
    if (child.exitCode !== null) return false;
    const { ok } = await fetch(`http://${HOST}:${options["port"]}/health`);
    return ok || undefined;
  };
  const { value } = await until("Alto answers", isReady, START_MAX_MS);
  if (!value) throw new Error(`Alto has ended: ${log.slice(-LOG_CHARACTERS_SHOWN)}`);
  return async () => {
    kill();
    await exited;
    process.off("exit", kill);
  };
}
