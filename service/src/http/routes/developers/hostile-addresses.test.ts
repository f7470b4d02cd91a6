import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { hostileAddresses } from "../../../../test/hostile-addresses.ts";

const PATH = "/developers/provider-keys";
const POINTER = "/body/redirect_uri";

describe("hostile URLs from callers", () => {
  const harness = useHarness({ vendors: true });
  let sentinel: Server;
  let port = 0;
  let visits = 0;

  beforeAll(async () => {
    sentinel = createServer((socket) => {
      visits += 1;
      socket.destroy();
    });
    // Without a host argument, `listen` uses all IPv4 and IPv6 addresses of the machine.
    await new Promise<void>((resolve) => sentinel.listen(0, resolve));
    const address = sentinel.address();
    if (address !== null && typeof address !== "string") port = address.port;
  });
  afterAll(() => sentinel.close());

  it.each([
    ["turnkey", "base_url", "https://api.turnkey.com"],
    ["fireblocks", "base_url", "https://api.fireblocks.io"],
    ["helius", "rpc_url", "https://mainnet.helius-rpc.com"],
  ] as const)(
    "422: a hostile URL for %s's keys is not called",
    async (provider, field, own) => {
      const { put, get } = await harness.seedTenant();
      const { credentials } = harness.sandbox[provider];
      const requestsBefore = harness.sandbox.requests(provider).length;
      const addresses = hostileAddresses(own, port);
      expect(new Set(addresses).size).toBeGreaterThanOrEqual(200);

      for (const address of addresses) {
        // Refills the rate limit's token bucket.
        harness.clock.advanceSeconds(1);
        const body = { credentials: { ...credentials, [field]: address } };
        const answer = await put(`${PATH}/${provider}`, body);
        expect([address, answer.status, answer.body.errors?.[0].pointer]).toEqual([
          address,
          422,
          `/body/credentials/${field}`,
        ]);
      }

      expect(visits).toBe(0);
      expect(harness.sandbox.requests(provider)).toHaveLength(requestsBefore);
      const { data } = (await get(PATH)).body;
      expect(data.filter(({ configured }: AnyBody) => configured)).toEqual([]);
    },
    120_000,
  );

  it("422: a hostile redirect_uri for a link", async () => {
    const { post } = await harness.seedTenant();
    const { project_id } = (await post("/projects", { name: "one" })).body;
    const own = "http://purser.test";
    const loopback = ["127.0.0.1", "127.0.0.2", "localhost", "[::1]", "[::ffff:7f00:1]"];
    const allowedOrigins = [own, ...loopback.map((host) => `http://${host}:${port}`)];
    const accepted: string[] = [];

    for (const address of hostileAddresses(own, port)) {
      harness.clock.advanceSeconds(1);
      const body = { provider: "neon", redirect_uri: address };
      const { status, body: answer } = await post(`/projects/${project_id}/link`, body);
      if (status === 200) accepted.push(address);
      else expect([address, status, answer.errors?.[0].pointer]).toEqual([address, 422, POINTER]);
    }

    // Every accepted URL must lead a browser to loopback or to the server's own origin, however the URL is written.
    expect(accepted.filter((address) => !allowedOrigins.includes(new URL(address).origin))).toEqual([]);
    expect(accepted.filter((address) => !/^ ?https?:/i.test(address))).toEqual([]);
    expect(visits).toBe(0);
  }, 120_000);
});
