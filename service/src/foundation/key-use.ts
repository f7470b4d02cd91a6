import type { ApiKeyId, TenantId } from "./ids.ts";

/** The last use of a key: time and client network. */
export interface KeyUse {
  readonly tenantId: TenantId;
  readonly keyId: ApiKeyId;
  readonly at: Date;
  readonly network: string;
}
