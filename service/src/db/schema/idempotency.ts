import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { Optional } from "./columns.ts";

export interface IdempotencyRecordTable {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly method: string;
  readonly route: string;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly state: "in_flight" | "stored" | "secret_issued";
  readonly leaseExpiresAt: Date;
  readonly answerStatus: Optional<number | null>;
  readonly answerBody: Optional<string | null>;
  readonly agentIds: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface RequestSignatureTable {
  readonly tenantId: TenantId;
  /** SHA-256 of the signature, or of the issuer and `jti` of an external token about an agent. */
  readonly signatureHash: string;
  readonly idempotencyKey: string | null;
  readonly expiresAt: Date;
}

export interface IdempotencyTables {
  readonly idempotencyRecords: IdempotencyRecordTable;
  readonly requestSignatures: RequestSignatureTable;
}
