// biome-ignore-all lint/performance/noReExportAll: these modules export only what is public.
export { ApiPromise, type ApiResponse } from "./api-promise.ts";
export type * from "./api-resources.ts";
export type * from "./api-types.ts";
export type { AuditCheckpoint } from "./audit-verifier.ts";
export * from "./audit-verifier.ts";
export { canonicalJson, type Json } from "./canonical-json.ts";
export { Purser, type RawRequest } from "./client.ts";
export { type Ed25519KeyProof, ed25519KeyProof, ed25519RequestKey } from "./ed25519.ts";
export type { EnvBundle } from "./env-bundle.ts";
export * from "./env-bundle.ts";
export type { Problem } from "./errors.ts";
export * from "./errors.ts";
export type { LogFacts, Logger, LogLevel } from "./log.ts";
export { type ListBody, Page, PagePromise } from "./paging.ts";
export type { Approvals, WaitForApprovalOptions } from "./resources/approvals.ts";
export type { Audit } from "./resources/audit.ts";
export type { Events } from "./resources/events.ts";
export * from "./resources/operations.ts";
export type { Payments, SendPaymentBody } from "./resources/payments.ts";
export type { ProjectEnv, PullEnvRequest } from "./resources/project-env.ts";
export type { WebhookHeaders, Webhooks } from "./resources/webhooks.ts";
export type { Clock, Mode, PurserOptions, Random, Sleep } from "./settings.ts";
export {
  canonicalRequest,
  hmacRequestKey,
  type RequestKey,
  type RequestParts,
  signingKey,
  signRequest,
} from "./signing.ts";
export * from "./statements.ts";
export type { Query, RequestOptions } from "./transport.ts";
export type { TrustedKey, TrustedKeys } from "./trusted-keys.ts";
export { VERSION } from "./version.ts";
