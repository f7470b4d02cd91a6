import { randomUUID } from "node:crypto";
import { invariant } from "../../src/foundation/invariant.ts";
import type { AnyBody, useHarness } from "../harness.ts";

type Harness = ReturnType<typeof useHarness>;
type Tenant = Pick<Awaited<ReturnType<Harness["seedTenant"]>>, "post">;

/** Creates a wallet by the API and returns its representation. */
export async function createWallet(tenant: Tenant, fields: object = {}): Promise<AnyBody> {
  const wallet = { agent_id: randomUUID(), network: "base", ...fields };
  const { status, body } = await tenant.post("/wallets/create", wallet);
  invariant(status === 201, `the wallet is created: ${JSON.stringify(body)}`);
  return body;
}
