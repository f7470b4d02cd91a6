import { createHook } from "node:async_hooks";
import { createServer, type Server } from "node:net";
import { turnkeyCredentials } from "@purser/simulators/turnkey/organizations.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../foundation/clock.ts";
import type { KeyedProvider } from "../foundation/vocabulary.ts";
import type { ProviderCredentials, ProviderKeyVerifier } from "../ports/provider-key-verifier.ts";
import { createKeyVerifiers } from "./key-verifiers.ts";

/** Every address of each vendor's that a developer may give. */
const OWN = {
  turnkey: ["https://api.turnkey.com"],
  fireblocks: [
    "https://api.fireblocks.io",
    "https://api.fireblocks.io/v1",
    "https://eu-api.fireblocks.io/v1",
    "https://eu2-api.fireblocks.io/v1",
    "https://sandbox-api.fireblocks.io/v1",
  ],
  helius: [
    "https://mainnet.helius-rpc.com",
    "https://beta.helius-rpc.com",
    "https://devnet.helius-rpc.com",
  ],
} as const;
type Addressable = keyof typeof OWN;
const ADDRESSABLE = Object.keys(OWN) as Addressable[];

/** This machine, its neighbours and its cloud's secrets, as they can be written. */
const INNER_HOSTS = [
  "127.0.0.1",
  "127.1",
  "127.0.0.2",
  "2130706433",
  "0x7f000001",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "017700000001",
  "0",
  "0.0.0.0",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "localhost.localdomain",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[fe80::1]",
  "[fd00::1]",
  "127.0.0.1.nip.io",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "0xa9fea9fe",
  "[::ffff:a9fe:a9fe]",
  "metadata.google.internal",
  "①②⑦.⓪.⓪.①",
];

/** Addresses of `host`, some of them dressed up as the vendor's `own` one. */
function innerAddresses(own: string, port: number): string[] {
  const name = new URL(own).hostname;
  return INNER_HOSTS.flatMap((host) => [
    `http://${host}:${port}`,
    `https://${host}:${port}/`,
    `https://${name}@${host}:${port}`,
    `https://${host}:${port}/${own}`,
    `https://${host}:${port}#${own}`,
    `https://${host}:${port}\\@${name}`,
  ]);
}

/** What is nearly the vendor's own address. */
function nearAddresses(own: string): string[] {
  const { hostname: name } = new URL(own);
  const [label = "", ...rest] = name.split(".");
  const domain = rest.join(".");
  return [
    own.replace("https:", "http:"),
    own.replace("https:", "ftp:"),
    own.replace("https:", "HTTPS:"),
    own.replace("https://", "https:"),
    own.replace("https://", "https:///"),
    own.replace("https://", "https:\\\\"),
    own.replace("https://", "//"),
    own.replace("https://", ""),
    own.replace(name, `${name}.`),
    own.replace(name, `${name}..`),
    own.replace(name, name.toUpperCase()),
    own.replace(name, `.${name}`),
    own.replace(name, `${name}.evil.test`),
    own.replace(name, `${name}-evil.test`),
    own.replace(name, `evil-${name}`),
    own.replace(name, `evil.${name}`),
    own.replace(name, domain),
    own.replace(name, `evil.${domain}`),
    own.replace(name, `${label}${domain}`),
    own.replace(name, `${name}:80`),
    own.replace(name, `${name}:8443`),
    own.replace(name, `${name}:0`),
    own.replace(name, `${name}:443@evil.test`),
    own.replace(name, `user@${name}`),
    own.replace(name, `user:pass@${name}`),
    own.replace(name, `@${name}`),
    own.replace(name, `evil.test\\.${name}`),
    own.replace(name, `evil.test#.${name}`),
    own.replace(name, `evil.test?.${name}`),
    own.replace(name, `evil.test/.${name}`),
    own.replace(name, `evil.test%2f.${name}`),
    own.replace(name, `evil.test%00.${name}`),
    own.replace(name, `evil.test\u0000.${name}`),
    own.replace(name, `${name}%2eevil.test`),
    own.replace(name, name.replace(".", "。")),
    own.replace(name, name.replace(".", "．")),
    own.replace(name, name.replace(".", "%2e")),
    own.replace(name, name.replace("e", "е")),
    own.replace(name, name.replace("i", "ı")),
    own.replace(name, name.replace("s", "ſ")),
    own.replace(name, name.replace("i", "ⅰ")),
    own.replace(name, name.replace(".", "\u00ad.")),
    own.replace(name, name.replace(".", "\u200b.")),
    own.replace(name, `xn--${name}`),
    own.replace("https://", "https://\t"),
    own.replace("https://", "https://\n"),
    own.replace("https", "ht\ntps"),
    ` ${own}`,
    `${own} `,
    `${own}\n`,
    `${own}\u0000`,
    `\ufeff${own}`,
    `${own}?`,
    `${own}?api-key=x`,
    `${own}#`,
    `${own}#x`,
    `${own}//`,
    `${own}/.`,
    `${own}/..`,
    `${own}/../evil`,
    `${own}/evil`,
    `${own}/%2e%2e/`,
    `${own};evil`,
    `${own}\\`,
    `${own},https://evil.test`,
    `[${own}]`,
    `"${own}"`,
    `file:///${name}`,
    `javascript:${own}`,
    `data:,${own}`,
    `blob:${own}`,
    `gopher://${name}`,
    `https://${name}.:443`,
    "",
    "https://",
    "constructor",
    "__proto__",
  ].filter((address) => address !== own);
}

let sentinel: Server;
let port = 0;
let visits = 0;
beforeAll(async () => {
  sentinel = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  // On all of this machine's addresses, both IPv4's and IPv6's where there are any.
  await new Promise<void>((resolve) => sentinel.listen(0, resolve));
  const address = sentinel.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  port = address.port;
});
afterAll(() => sentinel.close());

function verifiers(): ReadonlyMap<KeyedProvider, ProviderKeyVerifier> {
  const nobody = { live: "http://127.0.0.1:9", test: "http://127.0.0.1:9" };
  const apiUrls = {
    pimlico: nobody,
    turnkey: nobody,
    fireblocks: nobody,
    bridge: nobody,
    helius: nobody,
  };
  return createKeyVerifiers({ apiUrls, clock: systemClock, timeoutMs: 200 });
}

function verifierOf(provider: KeyedProvider): ProviderKeyVerifier {
  const verifier = verifiers().get(provider);
  if (verifier === undefined) throw new Error(`No verifier of ${provider}'s keys.`);
  return verifier;
}

/** Good keys, tried at that address. */
function credentialsAt(provider: Addressable, address: string): ProviderCredentials {
  const field = provider === "helius" ? "rpc_url" : "base_url";
  const keys =
    provider === "turnkey" ? turnkeyCredentials().credentials : { api_key: "sandbox-acme" };
  return { ...keys, [field]: address };
}

/** What is looked up or connected to meanwhile, of whatever host. */
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

describe.each(ADDRESSABLE)("an address given for %s's", (provider) => {
  it.each([...OWN[provider]])("may be %s", (address) => {
    const { isOwnAddress } = verifierOf(provider);
    expect(isOwnAddress(address)).toBe(true);
    expect(isOwnAddress(`${address}/`)).toBe(true);
  });

  it("may not be another's, however it is written, and nobody is asked or looked up", async () => {
    const [own] = OWN[provider];
    const addresses = [...innerAddresses(own, port), ...nearAddresses(own)];
    expect(new Set(addresses).size).toBeGreaterThanOrEqual(200);
    const verifier = verifierOf(provider);
    const connections = await connectionsDuring(async () => {
      for (const address of addresses) {
        expect({ address, isOwn: verifier.isOwnAddress(address) }).toEqual({
          address,
          isOwn: false,
        });
        const verdict = await verifier.verify(credentialsAt(provider, address), "live");
        expect({ address, status: verdict.status }).toEqual({ address, status: "failed" });
        expect(verdict.detail).toMatch(/^(base|rpc)_url is not an address of \w+'s?\.$/);
      }
    });
    expect(connections).toEqual([]);
    expect(visits).toBe(0);
  });

  it("may not be one of another vendor's", () => {
    const others = ADDRESSABLE.filter((other) => other !== provider).flatMap((other) => OWN[other]);
    for (const address of others) expect(verifierOf(provider).isOwnAddress(address)).toBe(false);
  });
});

describe("the watch over connections", () => {
  it("sees those that are made, by name too", async () => {
    const connections = await connectionsDuring(async () => {
      await fetch(`http://localhost:${port}`).catch(() => {});
    });
    expect(connections.join(" ")).toMatch(/GETADDRINFO.*TCPCONNECT/);
    expect(visits).toBeGreaterThan(0);
    visits = 0;
  });
});
