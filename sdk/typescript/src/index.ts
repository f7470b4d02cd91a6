export { type ApiAnswer, ApiPromise } from "./api-promise.ts";
export type { AuditCheckpoint, RejectedCheckpoint } from "./audit-checkpoints.ts";
export {
  type AuditBreak,
  type AuditExportFindings,
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
  type NextAction,
  NotFoundError,
  PaymentRequiredError,
  PermissionDeniedError,
  type Problem,
  type ProblemPart,
  PurserError,
  RateLimitError,
  type Refusal,
  ServerError,
  ServiceUnavailableError,
  SignatureVerificationError,
  ValidationError,
} from "./errors.ts";
export type { LogFacts, Logger, LogLevel } from "./log.ts";
export { type ListBody, Page, PagePromise } from "./paging.ts";
export type {
  Audit,
  AuditChain,
  AuditEntry,
  AuditQuery,
  AuditVerification,
  ListAuditCheckpointsQuery,
  ListAuditEntriesQuery,
  VerifyAuditQuery,
} from "./resources/audit.ts";
export type {
  BeginDeviceLoginRequest,
  BegunDeviceLogin,
  DecidedDeviceLogin,
  DeveloperDevices,
  DevicePair,
} from "./resources/developer-devices.ts";
export type {
  DeveloperIdentities,
  Identity,
  LoginProof,
} from "./resources/developer-identities.ts";
export type {
  ApiKey,
  AuthFailure,
  DeveloperKeys,
  IssuedKey,
  IssueKeyRequest,
  KeyTexts,
  RevokedApiKey,
  RotatedAccountPair,
  RotatedKey,
  RotateKeyRequest,
  TestSignature,
  TestSignatureRequest,
} from "./resources/developer-keys.ts";
export type { DeveloperSecondFactor, TotpSetup } from "./resources/developer-second-factor.ts";
export type { DashboardSession, DeveloperSessions } from "./resources/developer-sessions.ts";
export type {
  CaptchaChallenge,
  Developer,
  Developers,
  EmailVerified,
  LogInRequest,
  MfaRequired,
  RegisterRequest,
  Registration,
  Session,
  SignUpAnswer,
  SignUpRequest,
  UpdateDashboardProfileRequest,
} from "./resources/developers.ts";
export type { Limits } from "./resources/limits.ts";
export {
  type Operation,
  OperationFailedError,
  type OperationStep,
  type Operations,
  OperationTimeoutError,
  type ProjectOperations,
  type WaitOptions,
} from "./resources/operations.ts";
export type {
  AttachedPaymentMethod,
  AttachPaymentMethodRequest,
  PaymentMethod,
  ProjectBilling,
} from "./resources/project-billing.ts";
export type { ProjectEnv, PullEnvRequest } from "./resources/project-env.ts";
export type { BeginLinkRequest, ProjectLinks, ProviderLink } from "./resources/project-links.ts";
export type {
  AddedService,
  AddServiceRequest,
  ProjectServices,
  RemovedService,
  Service,
} from "./resources/project-services.ts";
export type {
  Amount,
  CapBehavior,
  CatalogBody,
  CatalogPlan,
  CatalogProvider,
  CatalogQuery,
  CatalogService,
  Charge,
  CreateProjectRequest,
  DeletedVariable,
  DeletionEffect,
  Metadata,
  Project,
  ProjectDeletion,
  ProjectDeletionPreview,
  ProjectServiceSummary,
  ProjectStatus,
  Projects,
  ProjectVariables,
  SetVariableRequest,
  UpdateProjectRequest,
  Variable,
} from "./resources/projects.ts";
export type {
  DeveloperProviderKeys,
  KeyedProvider,
  NoProviderKeys,
  ProviderCredentials,
  ProviderKeys,
  ProviderKind,
  RemovedProviderKeys,
  SaveProviderKeysRequest,
} from "./resources/provider-keys.ts";
export type { Clock, Mode, PurserOptions, Random, Sleep } from "./settings.ts";
export { canonicalRequest, type RequestParts, signingKey, signRequest } from "./signing.ts";
export type { Query, RequestOptions } from "./transport.ts";
export { VERSION } from "./version.ts";
