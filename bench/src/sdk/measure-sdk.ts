import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { Purser } from "@purser/sdk";
import { PYTHON_ENVIRONMENT, pythonOfSdk } from "../../../scripts/python-sdk.ts";

const WARM_UP = 500;
const CALLS = 5_000;
const KEY_PAIR = { apiKey: `svc_sk_test_${"a".repeat(43)}`, apiSecret: `svc_ss_test_${"b".repeat(64)}` };
const BODY = JSON.stringify({ object: "limits", data: [] });

/** What a call by an SDK takes longer than the same request with precomputed headers, in microseconds. */
export interface SdkFigures {
  readonly calls: number;
  readonly bareMedianMicros: number;
  readonly sdkMedianMicros: number;
}

/**
 * Calls a server in this process, which answers at once, in turn with `fetch` and precomputed headers and with the SDK. The
 * difference of the medians is the SDK's own time: signing, headers, parsing.
 */
export async function measureTypeScriptSdk(): Promise<SdkFigures> {
  return withServer(async (baseUrl) => {
    const purser = new Purser({ baseUrl, ...KEY_PAIR, logLevel: "off" });
    const headers = { authorization: KEY_PAIR.apiKey, "x-timestamp": "1", "x-nonce": "n", "x-request-signature": "0" };
    const bare = async () => {
      const response = await fetch(`${baseUrl}/api/v1/svc/limits`, { headers });
      await response.json();
    };
    const samples = { bare: [] as number[], sdk: [] as number[] };
    for (let call = -WARM_UP; call < CALLS; call += 1) {
      const bareMicros = await microsOf(bare);
      const sdkMicros = await microsOf(() => purser.limits());
      if (call < 0) continue;
      samples.bare.push(bareMicros);
      samples.sdk.push(sdkMicros);
    }
    return { calls: CALLS, bareMedianMicros: median(samples.bare), sdkMedianMicros: median(samples.sdk) };
  });
}

/** The same for the Python SDK and `httpx`. */
export async function measurePythonSdk(): Promise<SdkFigures> {
  const python = await pythonOfSdk();
  return withServer(async (baseUrl) => {
    const script = new URL("./measure-sdk.py", import.meta.url).pathname;
    const { apiKey, apiSecret } = KEY_PAIR;
    const { stdout } = await promisify(execFile)(
      python,
      [script, baseUrl, apiKey, apiSecret, String(WARM_UP), String(CALLS)],
      { env: { ...process.env, ...PYTHON_ENVIRONMENT } },
    );
    return JSON.parse(stdout);
  });
}

async function withServer<Result>(work: (baseUrl: string) => Promise<Result>): Promise<Result> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": BODY.length }).end(BODY);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function microsOf(call: () => PromiseLike<unknown>): Promise<number> {
  const startedMs = performance.now();
  await call();
  return (performance.now() - startedMs) * 1_000;
}

function median(samples: readonly number[]): number {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN;
}
