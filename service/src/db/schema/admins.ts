import type { AdminId, TenantId } from "../../foundation/ids.ts";
import type { Optional, Sealed, SealedUnder } from "./columns.ts";

export interface AdminTable {
  readonly tenantId: TenantId;
  readonly adminId: AdminId;
  readonly email: string;
  readonly passwordHash: string;
  readonly totpSecretSealed: Sealed;
  readonly totpSecretSealedUnder: SealedUnder;
  readonly lastStep: Optional<bigint>;
  readonly disabledAt: Optional<Date | null>;
  readonly lastLoginAt: Optional<Date | null>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface AdminChallengeTable {
  readonly tenantId: TenantId;
  readonly tokenHash: string;
  readonly adminId: AdminId;
  readonly attempts: Optional<number>;
  readonly expiresAt: Date;
  readonly usedAt: Optional<Date | null>;
  readonly createdAt: Date;
}

interface AdminSessionTable {
  readonly tenantId: TenantId;
  readonly sessionId: string;
  readonly adminId: AdminId;
  readonly network: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Optional<Date | null>;
}

export interface AdminTables {
  readonly admins: AdminTable;
  readonly adminChallenges: AdminChallengeTable;
  readonly adminSessions: AdminSessionTable;
}
