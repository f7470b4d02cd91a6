import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { hostileAddresses } from "../../../../test/hostile-addresses.ts";

const PATH = "/developers/provider-keys";
const POINTER = "/body/redirect_uri";

describe("an address that somebody makes up", () => {
  const harness = useHarness({ vendors: true });
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
    if (address !== null && typeof address !== "string") port = address.port;
  });
  afterAll(() => sentinel.close());

  it.each([
    ["turnkey", "base_url", "https://api.turnkey.com"],
    ["fireblocks", "base_url", "https://api.fireblocks.io"],
    ["helius", "rpc_url", "https://mainnet.helius-rpc.com"],
  ] as const)(
    "422: is not where %s's keys are tried",
    async (provider, field, own) => {
      const { put, get } = await harness.seedTenant();
      const { credentials } = harness.sandbox[provider];
      const asked = harness.sandbox.requests(provider).length;
      const addresses = hostileAddresses(own, port);
      expect(new Set(addresses).size).toBeGreaterThanOrEqual(200);

      for (const address of addresses) {
        // No limit is in the way of the next one.
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
      expect(harness.sandbox.requests(provider)).toHaveLength(asked);
      const { data } = (await get(PATH)).body;
      expect(data.filter(({ configured }: AnyBody) => configured)).toEqual([]);
    },
    120_000,
  );

  it("422: is not where a browser is sent when it has linked a provider", async () => {
    const { post } = await harness.seedTenant();
    const { project_id } = (await post("/projects", { name: "one" })).body;
    const own = "http://purser.test";
    const loopback = ["127.0.0.1", "127.0.0.2", "localhost", "[::1]", "[::ffff:7f00:1]"];
    const home = [own, ...loopback.map((host) => `http://${host}:${port}`)];
    const accepted: string[] = [];

    for (const address of hostileAddresses(own, port)) {
      harness.clock.advanceSeconds(1);
      const body = { provider: "neon", redirect_uri: address };
      const { status, body: answer } = await post(`/projects/${project_id}/link`, body);
      if (status === 200) accepted.push(address);
      else expect([address, status, answer.errors?.[0].pointer]).toEqual([address, 422, POINTER]);
    }

    // However they are written, a browser reads these as this machine's or this service's own.
    expect(accepted.filter((address) => !home.includes(new URL(address).origin))).toEqual([]);
    expect(accepted.filter((address) => !/^ ?https?:/i.test(address))).toEqual([]);
    expect(visits).toBe(0);
  }, 120_000);
});
