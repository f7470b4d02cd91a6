import type { ColumnType, Selectable } from "kysely";
import type { Json } from "../foundation/canonical-json.ts";
import type {
  AdminId,
  ApiKeyId,
  AuditId,
  LinkId,
  OperationId,
  ProjectId,
  ServiceId,
  TenantId,
} from "../foundation/ids.ts";
import type {
  AgentStatus,
  AuditChain,
  AuthFailureReason,
  CapBehavior,
  IdentityProviderName,
  KeyedProvider,
  KybDecision,
  LinkError,
  LinkFlow,
  LinkStatus,
  Mode,
  OperationStatus,
  Scope,
  ServiceStatus,
  StepStatus,
  VerificationStatus,
} from "../foundation/vocabulary.ts";

/** A column of JSON: read as a value, written as text, so that arrays and strings are not taken for SQL's own. */
type JsonColumn<Value> = ColumnType<Value, string, string>;

/** A column that need not be given on insert. */
type Optional<Value> = ColumnType<Value, Value | undefined, Value>;

/** Sealed bytes: see `crypto/envelope.ts`. */
type Sealed = Buffer;

/** Under which version of the tenant's data key the column beside it is sealed. The database reads it from the bytes. */
type SealedUnder = ColumnType<number | null, never, never>;

export interface DeveloperTable {
  readonly tenantId: TenantId;
  readonly email: string;
  readonly name: Optional<string | null>;
  readonly companyName: Optional<string | null>;
  readonly website: Optional<string | null>;
  readonly country: Optional<string | null>;
  readonly timezone: Optional<string>;
  readonly billingEmail: Optional<string | null>;
  readonly notificationPreferences: ColumnType<
    Readonly<Record<string, boolean>>,
    string | undefined,
    string
  >;
  readonly status: "pending_verification" | "active" | "suspended" | "closed";
  readonly emailVerifiedAt: Optional<Date | null>;
  /** When one person has shown both the mailbox and a way into the account. */
  readonly provenAt: Optional<Date | null>;
  readonly registeredAt: Optional<Date | null>;
  readonly acceptedTermsVersion: Optional<string | null>;
  readonly kybStatus: Optional<
    "unverified" | "pending" | "verified" | "rejected" | "revoked" | "expired"
  >;
  readonly kybVerifiedAt: Optional<Date | null>;
  readonly kybExpiresAt: Optional<Date | null>;
  readonly kybReference: Optional<string | null>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface DeveloperEmailTable {
  readonly email: string;
  readonly tenantId: TenantId;
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

interface TenantDataKeyTable {
  readonly tenantId: TenantId;
  readonly version: number;
  readonly keyEncryptionKeyId: string;
  readonly wrapped: Buffer;
  readonly createdAt: Date;
}

interface EmailTokenTable {
  readonly tokenHash: string;
  readonly tenantId: TenantId;
  readonly purpose: "verify_email" | "reset_password" | "revoke_keys";
  readonly email: string;
  /** The claim that a verification link belongs to. */
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
}

export interface ApiKeyTable {
  readonly tenantId: TenantId;
  readonly keyId: ApiKeyId;
  readonly mode: Mode;
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
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface ApiKeyGraceNoticeTable {
  readonly keyId: ApiKeyId;
  readonly tenantId: TenantId;
  readonly dueAt: Date;
}

interface ApiKeyLookupTable {
  readonly keyHash: string;
  readonly tenantId: TenantId;
  readonly keyId: ApiKeyId;
}

export interface AuditActor {
  readonly type: "developer" | "agent" | "admin" | "system";
  readonly id: string;
  readonly key_id: string | null;
  readonly ip: string | null;
}

export interface AuditSubject {
  readonly type: string;
  readonly id: string;
}

interface AuditEntryTable {
  readonly tenantId: TenantId;
  readonly auditId: AuditId;
  readonly chain: AuditChain;
  readonly mode: Mode;
  readonly actor: JsonColumn<AuditActor>;
  readonly action: string;
  readonly subject: JsonColumn<AuditSubject>;
  readonly facts: JsonColumn<Readonly<Record<string, Json>>>;
  readonly requestId: string | null;
  readonly occurredAt: Date;
}

interface AuditPendingTable {
  readonly tenantId: TenantId;
  readonly auditId: AuditId;
  readonly chain: AuditChain;
}

interface AuditLinkTable {
  readonly tenantId: TenantId;
  readonly chain: AuditChain;
  readonly sequence: number;
  readonly auditId: AuditId;
  readonly prevHash: string;
  readonly hash: string;
}

interface AuditHeadTable {
  readonly tenantId: TenantId;
  readonly chain: AuditChain;
  readonly sequence: number;
  readonly hash: string;
  readonly anchoredSequence: Optional<number>;
  readonly anchoredAt: Optional<Date | null>;
}

interface AuditCheckpointTable {
  readonly tenantId: TenantId;
  readonly chain: AuditChain;
  readonly sequence: number;
  readonly headHash: string;
  readonly checkpointedAt: Date;
  readonly prevCheckpointHash: string;
  readonly checkpointHash: string;
  readonly keyId: string;
  readonly signature: string;
}

interface AuditAnchoringTable {
  readonly tenantId: TenantId;
  readonly chain: AuditChain;
  readonly sequence: number;
  readonly reference: string;
  readonly anchoredAt: Date;
}

interface OutboxMessageTable {
  readonly tenantId: TenantId;
  readonly messageId: string;
  readonly topic: string;
  readonly mode: Mode;
  readonly payload: JsonColumn<Readonly<Record<string, Json>>>;
  readonly sealed: Optional<Sealed | null>;
  readonly sealedUnder: SealedUnder;
  readonly attempts: Optional<number>;
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly lastError: Optional<string | null>;
}

interface EventTable {
  readonly tenantId: TenantId;
  readonly eventId: string;
  readonly mode: Mode;
  readonly type: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly sequence: number;
  readonly data: JsonColumn<NonNullable<Json>>;
  readonly actor: JsonColumn<AuditActor>;
  readonly requestId: string | null;
  readonly occurredAt: Date;
}

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

export interface ProjectTable {
  readonly tenantId: TenantId;
  readonly projectId: ProjectId;
  readonly mode: Mode;
  readonly name: string;
  readonly nameKey: string;
  readonly slug: string;
  readonly description: string | null;
  readonly status: "active" | "suspended" | "deleting" | "deleted" | "delete_failed";
  readonly monthlyCapCents: ColumnType<bigint, bigint, bigint>;
  readonly currency: "usd";
  readonly capBehavior: CapBehavior;
  /** Provider to cents as decimal text. */
  readonly providerCaps: JsonColumn<Readonly<Record<string, string>>>;
  readonly environments: readonly string[];
  readonly agentIds: readonly string[];
  readonly policyId: string | null;
  readonly metadata: JsonColumn<Readonly<Record<string, string>>>;
  readonly envVersion: Optional<number>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Optional<Date | null>;
}

interface ProjectVariableTable {
  readonly tenantId: TenantId;
  readonly projectId: ProjectId;
  readonly name: string;
  readonly environment: string;
  readonly valueSealed: Sealed;
  readonly valueSealedUnder: SealedUnder;
  readonly sensitive: boolean;
  readonly version: number;
  readonly updatedAt: Date;
}

interface ChargeTable {
  readonly tenantId: TenantId;
  readonly chargeId: string;
  readonly projectId: ProjectId;
  readonly mode: Mode;
  readonly serviceId: Optional<string | null>;
  readonly provider: string;
  readonly type: "subscription" | "usage" | "one_time" | "refund" | "adjustment";
  readonly description: string;
  readonly amountCents: bigint;
  readonly currency: "usd";
  readonly status:
    | "reserved"
    | "pending"
    | "succeeded"
    | "failed"
    | "released"
    | "refunded"
    | "disputed";
  readonly agentId: Optional<string | null>;
  readonly paymentId: Optional<string | null>;
  readonly occurredAt: Date;
}

export interface AgentTable {
  readonly tenantId: TenantId;
  readonly agentId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly status: AgentStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ProviderLinkTable {
  readonly tenantId: TenantId;
  readonly linkId: LinkId;
  readonly projectId: ProjectId;
  readonly mode: Mode;
  readonly provider: string;
  readonly flow: LinkFlow;
  readonly status: LinkStatus;
  readonly error: Optional<LinkError | null>;
  readonly accountId: Optional<string | null>;
  readonly accountLabel: Optional<string | null>;
  readonly scopes: Optional<readonly string[]>;
  readonly acceptedTermsVersion: Optional<string | null>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  readonly linkedAt: Optional<Date | null>;
}

interface ProviderLinkSecretTable {
  readonly tenantId: TenantId;
  readonly linkId: LinkId;
  readonly pendingSealed: Optional<Sealed | null>;
  readonly pendingSealedUnder: SealedUnder;
  readonly accessSealed: Optional<Sealed | null>;
  readonly accessSealedUnder: SealedUnder;
  readonly version: Optional<number>;
  readonly accessExpiresAt: Optional<Date | null>;
}

interface LinkStateTable {
  readonly stateHash: string;
  readonly tenantId: TenantId;
  readonly linkId: LinkId;
  readonly expiresAt: Date;
  readonly usedAt: Optional<Date | null>;
}

/** A payment method as it may be shown (contract, section 3). */
export interface ShownPaymentMethod {
  readonly id: string;
  readonly type: string;
  readonly brand?: string;
  readonly last4?: string;
  readonly exp_month?: number;
  readonly exp_year?: number;
}

export interface ProjectBillingTable {
  readonly tenantId: TenantId;
  readonly projectId: ProjectId;
  readonly customerId: string;
  readonly status: "requires_payment_method" | "requires_action" | "ready" | "past_due";
  readonly paymentMethodId: Optional<string | null>;
  readonly paymentMethod: ColumnType<
    ShownPaymentMethod | null,
    string | null | undefined,
    string | null
  >;
  readonly setupIntentId: Optional<string | null>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ServiceTable {
  readonly tenantId: TenantId;
  readonly serviceId: ServiceId;
  readonly projectId: ProjectId;
  readonly mode: Mode;
  readonly linkId: LinkId;
  readonly provider: string;
  readonly service: string;
  readonly name: string;
  readonly plan: string;
  readonly region: string;
  readonly config: JsonColumn<Readonly<Record<string, Json>>>;
  readonly status: ServiceStatus;
  readonly environments: readonly string[];
  readonly envPrefix: string | null;
  /** The provider's name of each variable to its name in the project. */
  readonly envNames: ColumnType<Readonly<Record<string, string>>, string | undefined, string>;
  readonly providerResourceId: Optional<string | null>;
  readonly adopted: Optional<boolean>;
  readonly priceCents: ColumnType<bigint, bigint, bigint>;
  readonly credentialVersion: Optional<number>;
  readonly credentialRotatedAt: Optional<Date | null>;
  readonly agentId: string | null;
  readonly metadata: JsonColumn<Readonly<Record<string, string>>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly removedAt: Optional<Date | null>;
}

interface ServiceSecretTable {
  readonly tenantId: TenantId;
  readonly serviceId: ServiceId;
  readonly kind: "password" | "env";
  readonly version: number;
  readonly valueSealed: Sealed;
  readonly valueSealedUnder: SealedUnder;
  readonly createdAt: Date;
}

/** Why an operation failed, in a code of our own catalog and a sentence for its caller. */
export interface OperationError {
  readonly code: string;
  readonly detail: string;
}

export interface OperationTable {
  readonly tenantId: TenantId;
  readonly operationId: OperationId;
  readonly mode: Mode;
  readonly type: string;
  /** What kind of thing it is about: `project`, `service`. */
  readonly subjectType: string;
  readonly subjectId: string;
  /** Null where its subject belongs to no project. */
  readonly projectId: ProjectId | null;
  /** The subject's id where that is a service. */
  readonly serviceId: ServiceId | null;
  readonly status: OperationStatus;
  readonly actor: JsonColumn<AuditActor>;
  readonly requestId: string | null;
  readonly error: ColumnType<OperationError | null, string | null | undefined, string | null>;
  readonly expectedCallbackSeconds: Optional<number | null>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface OperationStepTable {
  readonly tenantId: TenantId;
  readonly operationId: OperationId;
  readonly position: number;
  readonly name: string;
  readonly status: StepStatus;
  readonly at: Optional<Date | null>;
}

interface WorkflowExecutorTable {
  readonly executorId: string;
  readonly leaseExpiresAt: Date;
}

interface DeveloperIdentityTable {
  readonly tenantId: TenantId;
  readonly provider: IdentityProviderName;
  readonly subject: string;
  readonly email: string;
  readonly linkedAt: Date;
  readonly lastUsedAt: Date;
}

interface IdentityLookupTable {
  readonly provider: IdentityProviderName;
  readonly subject: string;
  readonly tenantId: TenantId;
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

export interface DeviceAuthorizationTable {
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
}

export interface AuthFailureTable {
  readonly tenantId: TenantId;
  readonly failureId: string;
  readonly keyId: ApiKeyId;
  readonly mode: Mode;
  /** The step of the specification's verification order that failed. */
  readonly step: number;
  readonly reason: AuthFailureReason;
  readonly skewSeconds: number | null;
  readonly network: string;
  readonly count: number;
  readonly requestId: string;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

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

interface DataKeyWrappingTable {
  readonly tenantId: TenantId;
  readonly version: number;
  readonly keyEncryptionKeyId: string;
  readonly superseded: Optional<boolean>;
  readonly createdAt: Date;
}

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

/** Every table, as `db/migrations` makes it. A test compares this with the database's own catalog. */
export interface Schema {
  readonly developers: DeveloperTable;
  readonly developerEmails: DeveloperEmailTable;
  readonly developerPasswords: DeveloperPasswordTable;
  readonly tenantDataKeys: TenantDataKeyTable;
  readonly accountClaims: AccountClaimTable;
  readonly emailTokens: EmailTokenTable;
  readonly sessions: SessionTable;
  readonly refreshTokens: RefreshTokenTable;
  readonly apiKeys: ApiKeyTable;
  readonly apiKeyLookups: ApiKeyLookupTable;
  readonly apiKeyGraceNotices: ApiKeyGraceNoticeTable;
  readonly auditEntries: AuditEntryTable;
  readonly auditPending: AuditPendingTable;
  readonly auditLinks: AuditLinkTable;
  readonly auditHeads: AuditHeadTable;
  readonly auditCheckpoints: AuditCheckpointTable;
  readonly auditAnchorings: AuditAnchoringTable;
  readonly outboxMessages: OutboxMessageTable;
  readonly events: EventTable;
  readonly idempotencyRecords: IdempotencyRecordTable;
  readonly projects: ProjectTable;
  readonly projectVariables: ProjectVariableTable;
  readonly charges: ChargeTable;
  readonly agents: AgentTable;
  readonly providerLinks: ProviderLinkTable;
  readonly providerLinkSecrets: ProviderLinkSecretTable;
  readonly linkStates: LinkStateTable;
  readonly projectBilling: ProjectBillingTable;
  readonly services: ServiceTable;
  readonly serviceSecrets: ServiceSecretTable;
  readonly operations: OperationTable;
  readonly operationSteps: OperationStepTable;
  readonly workflowExecutors: WorkflowExecutorTable;
  readonly developerIdentities: DeveloperIdentityTable;
  readonly identityLookups: IdentityLookupTable;
  readonly loginStates: LoginStateTable;
  readonly developerTotp: DeveloperTotpTable;
  readonly developerRecoveryCodes: DeveloperRecoveryCodeTable;
  readonly mfaChallenges: MfaChallengeTable;
  readonly deviceAuthorizations: DeviceAuthorizationTable;
  readonly authFailures: AuthFailureTable;
  readonly providerKeys: ProviderKeyTable;
  readonly providerKeySecrets: ProviderKeySecretTable;
  readonly dataKeyWrappings: DataKeyWrappingTable;
  readonly admins: AdminTable;
  readonly adminChallenges: AdminChallengeTable;
  readonly adminSessions: AdminSessionTable;
  readonly kybDecisions: KybDecisionTable;
}

/** A row of a table, as it is read. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
