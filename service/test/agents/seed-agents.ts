import { generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import type { Actor } from "../../src/audit/append.ts";
import type { TenantId } from "../../src/foundation/ids.ts";
import { invariant } from "../../src/foundation/invariant.ts";
import type { AnyBody, useHarness } from "../harness.ts";

/** An Ed25519 key pair, and the proof that an agent holds the private key. */
export interface ProvenKey {
  readonly public_key: string;
  readonly proof: string;
}

export function provenKey(agentId: string): ProvenKey {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x } = publicKey.export({ format: "jwk" });
  invariant(x !== undefined, "an Ed25519 key has a coordinate");
  return { public_key: x, proof: proofOf(privateKey, agentId, x) };
}

export function proofOf(privateKey: KeyObject, agentId: string, publicKey: string): string {
  const text = `svc-ed25519-pop-v1\n${agentId}\n${publicKey}`;
  return sign(null, Buffer.from(text), privateKey).toString("base64url");
}

type Tenant = Awaited<ReturnType<ReturnType<typeof useHarness>["seedTenant"]>>;

/** Creates an agent by the API and returns its representation. */
export async function postAgent(tenant: Pick<Tenant, "post">, fields: object = {}): Promise<AnyBody> {
  const { status, body } = await tenant.post("/agents", {
    agent_id: randomUUID(),
    name: "buyer",
    ...fields,
  });
  invariant(status === 201, `the agent is created: ${JSON.stringify(body)}`);
  return body;
}

/** The developer, calling without a key. */
export function developerOf(tenantId: TenantId, mode: "live" | "test" = "live"): Actor {
  const actor = { type: "developer", id: tenantId, key_id: null, ip: null } as const;
  return { tenantId, mode, actor, requestId: "req_1" };
}
