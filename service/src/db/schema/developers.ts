import type { ColumnType } from "kysely";
import type { AdminId } from "../../foundation/ids.ts";
import type { IdentityProviderName, KybDecision } from "../../foundation/vocabulary.ts";
import type { ChangingOfTenant, CreatedOfTenant, OfTenant, Optional, Sealed, SealedUnder } from "./columns.ts";

export interface DeveloperTables {
  readonly developers: ChangingOfTenant & {
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
  };
  readonly developerPasswords: OfTenant & {
    readonly hash: string;
    readonly updatedAt: Date;
  };
  readonly accountClaims: CreatedOfTenant & {
    readonly claimNumber: number;
    readonly passwordHash: string;
    readonly name: Optional<string | null>;
    readonly companyName: Optional<string | null>;
    readonly country: Optional<string | null>;
    readonly acceptedTermsVersion: Optional<string | null>;
  };
  readonly emailTokens: CreatedOfTenant & {
    readonly tokenHash: string;
    readonly purpose: "verify_email" | "reset_password" | "revoke_keys";
    readonly email: string;
    /**
     * Identifies the account claim that the token confirms. An account claim is a signup for an email address that is not
     * verified.
     */
    readonly claimNumber: Optional<number | null>;
    readonly expiresAt: Date;
    readonly usedAt: Optional<Date | null>;
  };
  readonly sessions: CreatedOfTenant & {
    readonly sessionId: string;
    readonly lastUsedAt: Date;
    readonly expiresAt: Date;
    readonly revokedAt: Optional<Date | null>;
    readonly revokeReason: Optional<string | null>;
    readonly network: Optional<string | null>;
    readonly userAgent: Optional<string | null>;
  };
  readonly refreshTokens: OfTenant & {
    readonly tokenHash: string;
    readonly sessionId: string;
    readonly issuedAt: Date;
    readonly rotatedAt: Optional<Date | null>;
    readonly replacesHash: Optional<string | null>;
    readonly usedAt: Optional<Date | null>;
  };
  readonly developerIdentities: OfTenant & {
    readonly provider: IdentityProviderName;
    readonly subject: string;
    readonly email: string;
    readonly linkedAt: Date;
    readonly lastUsedAt: Date;
  };
  readonly loginStates: {
    readonly stateHash: string;
    readonly provider: IdentityProviderName;
    readonly browserHash: string;
    readonly redirectUri: string;
    readonly expiresAt: Date;
    readonly usedAt: Optional<Date | null>;
    readonly createdAt: Date;
  };
  readonly developerTotp: CreatedOfTenant & {
    readonly secretSealed: Sealed;
    readonly secretSealedUnder: SealedUnder;
    readonly confirmedAt: Optional<Date | null>;
    readonly lastStep: Optional<bigint>;
  };
  readonly developerRecoveryCodes: CreatedOfTenant & {
    readonly codeHash: string;
    readonly usedAt: Optional<Date | null>;
  };
  readonly mfaChallenges: CreatedOfTenant & {
    readonly tokenHash: string;
    readonly method: "password" | IdentityProviderName;
    readonly newSubject: Optional<string | null>;
    readonly attempts: Optional<number>;
    readonly expiresAt: Date;
    readonly usedAt: Optional<Date | null>;
  };
  readonly kybDecisions: OfTenant & {
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
  };
}
