import type { AdminId } from "../../foundation/ids.ts";
import type { ChangingOfTenant, CreatedOfTenant, Optional, Sealed, SealedUnder } from "./columns.ts";

export interface AdminTables {
  readonly admins: ChangingOfTenant & {
    readonly adminId: AdminId;
    readonly email: string;
    readonly passwordHash: string;
    readonly totpSecretSealed: Sealed;
    readonly totpSecretSealedUnder: SealedUnder;
    readonly lastStep: Optional<bigint>;
    readonly disabledAt: Optional<Date | null>;
    readonly lastLoginAt: Optional<Date | null>;
  };
  readonly adminChallenges: CreatedOfTenant & {
    readonly tokenHash: string;
    readonly adminId: AdminId;
    readonly attempts: Optional<number>;
    readonly expiresAt: Date;
    readonly usedAt: Optional<Date | null>;
  };
  readonly adminSessions: CreatedOfTenant & {
    readonly sessionId: string;
    readonly adminId: AdminId;
    readonly network: string | null;
    readonly userAgent: string | null;
    readonly expiresAt: Date;
    readonly revokedAt: Optional<Date | null>;
  };
}
