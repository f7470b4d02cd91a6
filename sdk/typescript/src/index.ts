export { ApiPromise, type ApiResponse } from "./api-promise.ts";
export type * from "./api-resources.ts";
export type * from "./api-types.ts";
export type { AuditCheckpoint, RejectedCheckpoint } from "./audit-checkpoints.ts";
export {
  type AuditBreak,
  type AuditExportVerification,
  type VerifyAuditOptions,
  verifyAuditExport,
} from "./audit-verifier.ts";
export { canonicalJson, type Json } from "./canonical-json.ts";
export { Purser, type RawRequest } from "./client.ts";
export { type Ed25519KeyProof, ed25519KeyProof } from "./ed25519.ts";
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
export type { Approvals } from "./resources/approvals.ts";
export type { Audit } from "./resources/audit.ts";
export {
  OperationFailedError,
  type OperationStep,
  type Operations,
  OperationTimeoutError,
  type ProjectOperations,
  type WaitOptions,
} from "./resources/operations.ts";
export type { Payments, SendPaymentBody } from "./resources/payments.ts";
export type { ProjectEnv, PullEnvRequest } from "./resources/project-env.ts";
export type { Clock, Mode, PurserOptions, Random, Sleep } from "./settings.ts";
export { canonicalRequest, type RequestParts, signingKey, signRequest } from "./signing.ts";
export { type ProvenFreeze, verifyFreezeProof } from "./statements/freeze-proof.ts";
export { type ReceiptedPayment, verifyPaymentReceipt } from "./statements/payment-receipt.ts";
export { verifyRevocation } from "./statements/revocation.ts";
export type { StatementSignature } from "./statements/signed-statement.ts";
export type { TrustedKey, TrustedKeys } from "./statements/trusted-keys.ts";
export type { Query, RequestOptions } from "./transport.ts";
export { VERSION } from "./version.ts";
