import type { ApiKeyId, TenantId } from "./ids.ts";

/** The time and client network of an API key's last use. */
export interface KeyUse {
  readonly tenantId: TenantId;
  readonly keyId: ApiKeyId;
  readonly at: Date;
  readonly network: string;
}
