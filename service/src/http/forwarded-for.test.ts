import { describe, expect, it } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { useHarness } from "../../test/harness.ts";
import type { Server } from "./route.ts";

const PROXY = "127.0.0.1";

function echoAddressRoute(server: Server): void {
  server.route({
    method: "GET",
    url: "/test/address",
    config: { auth: "public", page: true },
    schema: { hide: true },
    handler: async (request) => ({ ip: request.ip }),
  });
}

describe("X-Forwarded-For of a trusted proxy", () => {
  const harness = useHarness({
    trustedProxies: [`${PROXY}/32`, "fe80::/10"],
    routes: [echoAddressRoute],
  });
  const accounts = accountsOf(harness);
  const from = (address: string) => ({ "x-forwarded-for": address });

  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.7:51234", "203.0.113.7"],
    ["2001:db8::7", "2001:db8::7"],
    ["[2001:DB8::7]:51234", "2001:db8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["[::ffff:203.0.113.7]:443", "203.0.113.7"],
    ["fe80::7%eth0, 203.0.113.7", "203.0.113.7"],
    ["198.51.100.1, 203.0.113.7:1, 127.0.0.1:2", "203.0.113.7"],
    ["203.0.113.7, ", "203.0.113.7"],
    ["unknown", PROXY],
    ["203.0.113.7:port", PROXY],
    ["203.0.113.7:123456", PROXY],
    ["203.0.113.7:1:2", PROXY],
    ["[203.0.113.7", PROXY],
    ["203.0.113.7, _hidden", PROXY],
    ["", PROXY],
  ])("%s: the client is %s", async (header, ip) => {
    const { body } = await harness.send({ url: "/test/address", headers: from(header) });

    expect(body).toEqual({ ip });
  });

  it("422: a sixth wrong password needs a captcha, although each connection has another port", async () => {
    const body = { email: accounts.newEmail(), password: "a wrong password" };

    const statuses: number[] = [];
    for (let port = 50_000; port < 50_006; port += 1) {
      const headers = from(`203.0.113.7:${port}`);
      statuses.push((await accounts.call("POST", "/login", body, { headers, from: PROXY })).status);
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 422]);
  });

  it("200: ip_allowlist ignores the port", async () => {
    const tenant = await harness.seedTenant();
    const key = await harness.seedKey(tenant.tenantId, { ipAllowlist: ["203.0.113.0/24"] });

    const inside = await key.get("/developers/me", { headers: from("203.0.113.9:41000") });
    const outside = await key.get("/developers/me", { headers: from("203.0.114.9:41000") });

    expect([inside.status, outside.status]).toEqual([200, 401]);
  });
});
