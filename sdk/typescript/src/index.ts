export { ApiPromise, type ApiResponse, type ApiResponse as ApiAnswer } from "./api-promise.ts";
export type * from "./api-types.ts";
export type {
  Captcha as CaptchaChallenge,
  Catalog as CatalogBody,
  CreateApiKeyRequest as IssueKeyRequest,
  DeveloperLoginRequest as LogInRequest,
  DeveloperRegisterRequest as RegisterRequest,
  DeviceAuthorization as BegunDeviceLogin,
  DeviceAuthorizationRequest as BeginDeviceLoginRequest,
  DeviceLogin as DecidedDeviceLogin,
  DeviceToken as DevicePair,
  IssuedApiKey as IssuedKey,
  LimitList as Limits,
  Link as ProviderLink,
  LinkProviderRequest as BeginLinkRequest,
  LoginProofRequest as LoginProof,
  PaymentMethodAttachment as AttachedPaymentMethod,
  PaymentMethodAttachRequest as AttachPaymentMethodRequest,
  ProjectCreateRequest as CreateProjectRequest,
  ProjectService as ProjectServiceSummary,
  ProjectUpdateRequest as UpdateProjectRequest,
  RegisteredDeveloper as Registration,
  RotateApiKeyRequest as RotateKeyRequest,
  RotatedApiKey as RotatedKey,
  ServiceAddition as AddedService,
  ServiceRemoval as RemovedService,
  Signup as SignUpAnswer,
  SignupRequest as SignUpRequest,
  TotpEnrollment as TotpSetup,
  VariableSetRequest as SetVariableRequest,
  VerifiedEmail as EmailVerified,
} from "./api-types.ts";
export type { AuditCheckpoint, RejectedCheckpoint } from "./audit-checkpoints.ts";
export {
  type AuditBreak,
  type AuditExportVerification,
  type AuditExportVerification as AuditExportFindings,
  type VerifyAuditOptions,
  verifyAuditExport,
} from "./audit-verifier.ts";
export { canonicalJson, type Json } from "./canonical-json.ts";
export { Purser, type RawRequest } from "./client.ts";
export {
  type EnvBundle,
  type EnvBundleFacts,
  type EnvBundleNames,
  type EnvBundleVariable,
  verifyEnvBundle,
  verifyEnvSignature,
} from "./env-bundle.ts";
export {
  APIConnectionError,
  APIError,
  APITimeoutError,
  AuthenticationError,
  BadGatewayError,
  BadRequestError,
  ConflictError,
  type Decision,
  type ErrorResponse,
  type ErrorResponse as Refusal,
  type NextAction,
  NotFoundError,
  PaymentRequiredError,
  PermissionDeniedError,
  type Problem,
  type ProblemPart,
  PurserError,
  RateLimitError,
  ServerError,
  ServiceUnavailableError,
  SignatureVerificationError,
  ValidationError,
} from "./errors.ts";
export type { LogFacts, Logger, LogLevel } from "./log.ts";
export { type ListBody, Page, PagePromise } from "./paging.ts";
export type { Agents } from "./resources/agents.ts";
export type { Approvals, GetApprovalOptions, ListApprovalsQuery } from "./resources/approvals.ts";
export type {
  Audit,
  AuditChain,
  AuditQuery,
  ListAuditCheckpointsQuery,
  ListAuditEntriesQuery,
  VerifyAuditQuery,
} from "./resources/audit.ts";
export type { DeveloperDevices } from "./resources/developer-devices.ts";
export type { DeveloperIdentities } from "./resources/developer-identities.ts";
export type { DeveloperKeys, KeyTexts } from "./resources/developer-keys.ts";
export type { DeveloperSecondFactor } from "./resources/developer-second-factor.ts";
export type { DeveloperSessions } from "./resources/developer-sessions.ts";
export type { Developers } from "./resources/developers.ts";
export type { KillSwitch as KillSwitchResource } from "./resources/kill-switch.ts";
export {
  OperationFailedError,
  type OperationStep,
  type Operations,
  OperationTimeoutError,
  type ProjectOperations,
  type WaitOptions,
} from "./resources/operations.ts";
export type { ListPaymentsQuery, Payments, SendPaymentBody } from "./resources/payments.ts";
export type { Policies } from "./resources/policies.ts";
export type { ProjectBilling } from "./resources/project-billing.ts";
export type { ProjectEnv, PullEnvRequest } from "./resources/project-env.ts";
export type { ProjectLinks } from "./resources/project-links.ts";
export type { ProjectServices } from "./resources/project-services.ts";
export type {
  Amount,
  CapBehavior,
  CatalogQuery,
  Metadata,
  Projects,
  ProjectVariables,
} from "./resources/projects.ts";
export type {
  DeveloperProviderKeys,
  KeyedProvider,
  ProviderCredentials,
  ProviderKind,
  SaveProviderKeysRequest,
} from "./resources/provider-keys.ts";
export type { Wallets } from "./resources/wallets.ts";
export type { Clock, Mode, PurserOptions, Random, Sleep } from "./settings.ts";
export { canonicalRequest, type RequestParts, signingKey, signRequest } from "./signing.ts";
export { type ProvenFreeze, verifyFreezeProof } from "./statements/freeze-proof.ts";
export { type ReceiptedPayment, verifyPaymentReceipt } from "./statements/payment-receipt.ts";
export { verifyRevocation } from "./statements/revocation.ts";
export type { StatementSignature } from "./statements/signed-statement.ts";
export type { TrustedKeys } from "./statements/trusted-keys.ts";
export type { Query, RequestOptions } from "./transport.ts";
export { VERSION } from "./version.ts";
