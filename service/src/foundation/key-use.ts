import type { ApiKeyId, TenantId } from "./ids.ts";

/** That a key was used: when, and from which network. */
export interface KeyUse {
  readonly tenantId: TenantId;
  readonly keyId: ApiKeyId;
  readonly at: Date;
  readonly network: string;
}
