import type { ColumnType } from "kysely";
import type { AdminId, TenantId } from "../../foundation/ids.ts";
import type { IdentityProviderName, KybDecision } from "../../foundation/vocabulary.ts";
import type { Optional, Sealed, SealedUnder } from "./columns.ts";

export interface DeveloperTable {
  readonly tenantId: TenantId;
  readonly email: string;
  readonly name: Optional<string | null>;
  readonly companyName: Optional<string | null>;
  readonly website: Optional<string | null>;
  readonly country: Optional<string | null>;
  readonly timezone: Optional<string>;
  readonly billingEmail: Optional<string | null>;
  readonly notificationPreferences: ColumnType<Readonly<Record<string, boolean>>, string | undefined, string>;
  readonly status: "pending_verification" | "active" | "suspended" | "closed";
  readonly emailVerifiedAt: Optional<Date | null>;
  /** When ownership of the account was confirmed (docs/api.md, section 16.1). Null before that. */
  readonly provenAt: Optional<Date | null>;
  readonly registeredAt: Optional<Date | null>;
  readonly acceptedTermsVersion: Optional<string | null>;
  readonly kybStatus: Optional<"unverified" | "pending" | "verified" | "rejected" | "revoked" | "expired">;
  readonly kybVerifiedAt: Optional<Date | null>;
  readonly kybExpiresAt: Optional<Date | null>;
  readonly kybReference: Optional<string | null>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface DeveloperPasswordTable {
  readonly tenantId: TenantId;
  readonly hash: string;
  readonly updatedAt: Date;
}

interface AccountClaimTable {
  readonly tenantId: TenantId;
  readonly claimNumber: number;
  readonly passwordHash: string;
  readonly name: Optional<string | null>;
  readonly companyName: Optional<string | null>;
  readonly country: Optional<string | null>;
  readonly acceptedTermsVersion: Optional<string | null>;
  readonly createdAt: Date;
}

interface EmailTokenTable {
  readonly tokenHash: string;
  readonly tenantId: TenantId;
  readonly purpose: "verify_email" | "reset_password" | "revoke_keys";
  readonly email: string;
  /**
   * Identifies the account claim that the token confirms. An account claim is a signup for an email address that is not
   * verified.
   */
  readonly claimNumber: Optional<number | null>;
  readonly expiresAt: Date;
  readonly usedAt: Optional<Date | null>;
  readonly createdAt: Date;
}

interface SessionTable {
  readonly tenantId: TenantId;
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Optional<Date | null>;
  readonly revokeReason: Optional<string | null>;
  readonly network: Optional<string | null>;
  readonly userAgent: Optional<string | null>;
}

interface RefreshTokenTable {
  readonly tokenHash: string;
  readonly tenantId: TenantId;
  readonly sessionId: string;
  readonly issuedAt: Date;
  readonly rotatedAt: Optional<Date | null>;
  readonly replacesHash: Optional<string | null>;
  readonly usedAt: Optional<Date | null>;
}

interface DeveloperIdentityTable {
  readonly tenantId: TenantId;
  readonly provider: IdentityProviderName;
  readonly subject: string;
  readonly email: string;
  readonly linkedAt: Date;
  readonly lastUsedAt: Date;
}

interface LoginStateTable {
  readonly stateHash: string;
  readonly provider: IdentityProviderName;
  readonly browserHash: string;
  readonly redirectUri: string;
  readonly expiresAt: Date;
  readonly usedAt: Optional<Date | null>;
  readonly createdAt: Date;
}

interface DeveloperTotpTable {
  readonly tenantId: TenantId;
  readonly secretSealed: Sealed;
  readonly secretSealedUnder: SealedUnder;
  readonly confirmedAt: Optional<Date | null>;
  readonly lastStep: Optional<bigint>;
  readonly createdAt: Date;
}

interface DeveloperRecoveryCodeTable {
  readonly tenantId: TenantId;
  readonly codeHash: string;
  readonly usedAt: Optional<Date | null>;
  readonly createdAt: Date;
}

interface MfaChallengeTable {
  readonly tokenHash: string;
  readonly tenantId: TenantId;
  readonly method: "password" | IdentityProviderName;
  readonly newSubject: Optional<string | null>;
  readonly attempts: Optional<number>;
  readonly expiresAt: Date;
  readonly usedAt: Optional<Date | null>;
  readonly createdAt: Date;
}

export interface KybDecisionTable {
  readonly tenantId: TenantId;
  readonly decisionId: string;
  readonly status: KybDecision;
  readonly legalName: string | null;
  readonly registrationNumber: string | null;
  readonly jurisdiction: string | null;
  readonly reference: string | null;
  readonly note: string | null;
  readonly expiresAt: Date | null;
  readonly proposedBy: AdminId;
  readonly proposedAt: Date;
  readonly approvedBy: Optional<AdminId | null>;
  readonly appliedAt: Optional<Date | null>;
  readonly supersededAt: Optional<Date | null>;
}

export interface DeveloperTables {
  readonly developers: DeveloperTable;
  readonly developerPasswords: DeveloperPasswordTable;
  readonly accountClaims: AccountClaimTable;
  readonly emailTokens: EmailTokenTable;
  readonly sessions: SessionTable;
  readonly refreshTokens: RefreshTokenTable;
  readonly developerIdentities: DeveloperIdentityTable;
  readonly loginStates: LoginStateTable;
  readonly developerTotp: DeveloperTotpTable;
  readonly developerRecoveryCodes: DeveloperRecoveryCodeTable;
  readonly mfaChallenges: MfaChallengeTable;
  readonly kybDecisions: KybDecisionTable;
}
