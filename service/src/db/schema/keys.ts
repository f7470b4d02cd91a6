import type { ColumnType } from "kysely";
import type { ApiKeyId, TenantId } from "../../foundation/ids.ts";
import type { AuthFailureReason, KeyedProvider, Scope, VerificationStatus } from "../../foundation/vocabulary.ts";
import type { ChangingOfMode, OfMode, OfTenant, Optional, Sealed, SealedUnder } from "./columns.ts";

export interface KeyTables {
  readonly apiKeys: ChangingOfMode & {
    readonly keyId: ApiKeyId;
    readonly name: string;
    readonly keyHash: string;
    readonly keyHint: string;
    readonly signatureAlg: "hmac-sha256" | "ed25519";
    readonly signingKeySealed: Optional<Sealed | null>;
    readonly signingKeySealedUnder: SealedUnder;
    readonly publicKey: Optional<string | null>;
    readonly isAccountPair: Optional<boolean>;
    readonly scopes: readonly Scope[];
    readonly agentIds: Optional<readonly string[]>;
    readonly projectIds: Optional<readonly string[]>;
    readonly ipAllowlist: Optional<readonly string[]>;
    readonly rateLimitPerMinute: Optional<number | null>;
    readonly metadata: ColumnType<Readonly<Record<string, string>>, string | undefined, string>;
    readonly createdBy: string;
    readonly expiresAt: Optional<Date | null>;
    readonly lastUsedAt: Optional<Date | null>;
    readonly lastUsedNetwork: Optional<string | null>;
    readonly rotatedFrom: Optional<string | null>;
    readonly replacedBy: Optional<string | null>;
    readonly graceExpiresAt: Optional<Date | null>;
    readonly revokedAt: Optional<Date | null>;
    readonly revokeReason: Optional<string | null>;
    readonly failuresToldAt: Optional<Date | null>;
  };
  readonly apiKeyLookups: OfTenant & {
    readonly keyHash: string;
    readonly keyId: ApiKeyId;
  };
  readonly deviceAuthorizations: {
    readonly deviceCodeHash: string;
    readonly userCodeHash: string;
    readonly clientName: string;
    readonly scopes: readonly Scope[];
    readonly network: string | null;
    readonly userAgent: string | null;
    readonly status: "pending" | "approved" | "denied" | "handed_out";
    readonly tenantId: Optional<TenantId | null>;
    readonly keyId: Optional<ApiKeyId | null>;
    readonly pairSealed: Optional<Sealed | null>;
    readonly pairSealedUnder: SealedUnder;
    readonly pollIntervalSeconds: number;
    readonly lastPolledAt: Optional<Date | null>;
    readonly expiresAt: Date;
    readonly createdAt: Date;
  };
  readonly authFailures: OfMode & {
    readonly failureId: string;
    /** Null for a dashboard session. */
    readonly keyId: ApiKeyId | null;
    /** The verification step that failed: 1 to 5 (docs/api.md, section 2.4). */
    readonly step: number;
    readonly reason: AuthFailureReason;
    readonly skewSeconds: number | null;
    readonly network: string;
    readonly count: number;
    readonly requestId: string;
    readonly firstAt: Date;
    readonly lastAt: Date;
  };
  readonly providerKeys: ChangingOfMode & {
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
  };
  readonly providerKeySecrets: OfMode & {
    readonly provider: KeyedProvider;
    readonly field: string;
    readonly version: number;
    readonly sealed: Sealed;
    readonly sealedUnder: SealedUnder;
  };
}
