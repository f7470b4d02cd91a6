import { EventEmitter } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import { UnsentBytes } from "./unsent-bytes.ts";

const MIB = 1024 * 1024;

function createHold() {
  const unsentBytes = new UnsentBytes();
  return (caller: { readonly ip?: string; readonly tenantId?: string }, bytes: number) => {
    const { ip = "", tenantId } = caller;
    const principal = tenantId === undefined ? null : { tenantId };
    const request = { method: "GET", ip, principal } as unknown as FastifyRequest;
    unsentBytes.hold(request, { raw: new EventEmitter() } as unknown as FastifyReply, bytes);
  };
}

it("503: callers without a credential reach their shared limit; tenants are not affected", () => {
  const hold = createHold();
  for (let network = 0; network < 16; network += 1) hold({ ip: `203.0.113.${network}` }, 4 * MIB);

  expect(() => hold({ ip: "198.51.100.1" }, MIB)).toThrow(expect.objectContaining({ code: "service_unavailable" }));
  hold({ tenantId: "dev_1" }, MIB);
});

it("429: the addresses of one IPv6 network count as one caller", () => {
  const hold = createHold();
  for (let host = 1; host <= 4; host += 1) hold({ ip: `2001:db8::${host}` }, 4 * MIB);

  expect(() => hold({ ip: "2001:db8::5" }, MIB)).toThrow(expect.objectContaining({ code: "rate_limited" }));
});
