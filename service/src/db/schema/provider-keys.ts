import type { TenantId } from "../../foundation/ids.ts";
import type { KeyedProvider, Mode, VerificationStatus } from "../../foundation/vocabulary.ts";
import type { Optional, Sealed, SealedUnder } from "./columns.ts";

export interface ProviderKeyTable {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly provider: KeyedProvider;
  readonly version: number;
  readonly configured: boolean;
  readonly label: string | null;
  readonly fieldsConfigured: readonly string[];
  readonly verificationStatus: VerificationStatus;
  readonly verificationDetail: string | null;
  readonly verificationCheckedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly remindedDays: Optional<number | null>;
  readonly lastUsedAt: Optional<Date | null>;
  readonly updatedBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface ProviderKeySecretTable {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly provider: KeyedProvider;
  readonly field: string;
  readonly version: number;
  readonly sealed: Sealed;
  readonly sealedUnder: SealedUnder;
}

export interface ProviderKeyTables {
  readonly providerKeys: ProviderKeyTable;
  readonly providerKeySecrets: ProviderKeySecretTable;
}
