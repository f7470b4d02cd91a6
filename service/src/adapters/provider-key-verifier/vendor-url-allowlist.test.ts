import { createHook } from "node:async_hooks";
import { createServer, type Server } from "node:net";
import { turnkeyCredentials } from "@purser/simulators/turnkey/organizations.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostileAddresses } from "../../../test/hostile-addresses.ts";
import { systemClock } from "../../foundation/clock.ts";
import type { ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { createFireblocksKeyVerifier } from "./fireblocks-key-verifier.ts";
import { createHeliusKeyVerifier } from "./helius-key-verifier.ts";
import { createTurnkeyKeyVerifier } from "./turnkey-key-verifier.ts";

/** The URLs that a developer can set for each vendor. */
const OWN = {
  turnkey: ["https://api.turnkey.com"],
  fireblocks: [
    "https://api.fireblocks.io",
    "https://api.fireblocks.io/v1",
    "https://eu-api.fireblocks.io/v1",
    "https://eu2-api.fireblocks.io/v1",
    "https://sandbox-api.fireblocks.io/v1",
  ],
  helius: ["https://mainnet.helius-rpc.com", "https://beta.helius-rpc.com", "https://devnet.helius-rpc.com"],
} as const;
type Addressable = keyof typeof OWN;
const ADDRESSABLE = Object.keys(OWN) as Addressable[];

let sentinel: Server;
let port = 0;
let visits = 0;
beforeAll(async () => {
  sentinel = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  // Listens on all of this machine's addresses, including IPv6 if available.
  await new Promise<void>((resolve) => sentinel.listen(0, resolve));
  const address = sentinel.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  port = address.port;
});
afterAll(() => sentinel.close());

function verifierOf(provider: Addressable): ProviderKeyVerifier {
  const options = { apiUrl: { live: "http://127.0.0.1:9", test: "http://127.0.0.1:9" }, timeoutMs: 200 };
  switch (provider) {
    case "turnkey":
      return createTurnkeyKeyVerifier(options);
    case "fireblocks":
      return createFireblocksKeyVerifier({ ...options, clock: systemClock });
    case "helius":
      return createHeliusKeyVerifier(options);
  }
}

/** Returns credentials with the given address as their custom URL. */
function credentialsAt(provider: Addressable, address: string): ProviderCredentials {
  const field = provider === "helius" ? "rpc_url" : "base_url";
  const keys = provider === "turnkey" ? turnkeyCredentials().credentials : { api_key: "sandbox-acme" };
  return { ...keys, [field]: address };
}

/** Returns all DNS lookups and connections that occur while `work` runs. */
async function connectionsDuring(work: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const hook = createHook({
    init: (_id, type) => {
      if (/^(GETADDRINFO|QUERY|TCPCONNECT|PIPECONNECT)/.test(type)) seen.push(type);
    },
  }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return seen;
}

describe.each(ADDRESSABLE)("custom URL for %s", (provider) => {
  it.each([...OWN[provider]])("allowed: %s", (address) => {
    const { isVendorUrl } = verifierOf(provider);
    expect(isVendorUrl(address)).toBe(true);
    expect(isVendorUrl(`${address}/`)).toBe(true);
  });

  it("failed: other hosts in any notation, without a call or a DNS lookup", async () => {
    const [own] = OWN[provider];
    const addresses = hostileAddresses(own, port);
    expect(new Set(addresses).size).toBeGreaterThanOrEqual(200);
    const verifier = verifierOf(provider);
    const connections = await connectionsDuring(async () => {
      for (const address of addresses) {
        expect({ address, isOwn: verifier.isVendorUrl(address) }).toEqual({
          address,
          isOwn: false,
        });
        const verdict = await verifier.verify(credentialsAt(provider, address), "live");
        expect({ address, status: verdict.status }).toEqual({ address, status: "failed" });
        expect(verdict.detail).toMatch(/^(base|rpc)_url is not a \w+ URL\.$/);
      }
    });
    expect(connections).toEqual([]);
    expect(visits).toBe(0);
  });

  it("not allowed: another vendor's URL", () => {
    const others = ADDRESSABLE.filter((other) => other !== provider).flatMap((other) => OWN[other]);
    for (const address of others) expect(verifierOf(provider).isVendorUrl(address)).toBe(false);
  });
});

describe("connectionsDuring", () => {
  it("records connections, including the DNS lookup of a hostname", async () => {
    const connections = await connectionsDuring(async () => {
      await fetch(`http://localhost:${port}`).catch(() => {});
    });
    expect(connections.join(" ")).toMatch(/GETADDRINFO.*TCPCONNECT/);
    expect(visits).toBeGreaterThan(0);
    visits = 0;
  });
});
