import type { Static, TSchema } from "typebox";
import { NO_RETRY } from "../../foundation/retry.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { createVendorClient, type VendorApi, type VendorCall, vendorApi } from "../http-client/vendor-client.ts";

const API_VERSION = "2020-09-14";

export interface PlaidOptions {
  /** The scheme and host of the mode's environment, without a trailing slash. */
  readonly apiUrl: string;
  readonly clientId: string;
  /** The secret of the mode's environment. */
  readonly secret: string;
  /** Timeout for one call in milliseconds. */
  readonly timeoutMs?: number;
}

interface PlaidCall<Schema extends TSchema>
  extends Required<Pick<VendorCall<Schema>, "operation" | "path" | "schema">> {
  readonly body: object;
  /** Strings to redact from errors, in addition to the mode's secret. */
  readonly secrets?: readonly string[];
  /** True for a call without effect. All of Plaid's calls are POST. */
  readonly reads?: boolean;
  /** Returns false if the response refers to a different object from the one requested. */
  readonly isRequestedObject?: (response: Static<Schema>) => boolean;
}

export interface PlaidCaller {
  readonly call: <Schema extends TSchema>(call: PlaidCall<Schema>) => Promise<Static<Schema>>;
  readonly error: VendorApi["error"];
}

/**
 * What Plaid's error codes mean. Plaid answers all of them with the status 400
 * (https://plaid.com/docs/errors/invalid-input, https://plaid.com/docs/errors/institution).
 */
const FAILURES: ReadonlyMap<string, VendorFailure> = new Map([
  ["INVALID_API_KEYS", "unauthorized"],
  ["UNAUTHORIZED_ENVIRONMENT", "unauthorized"],
  ["ITEM_NOT_FOUND", "not_found"],
  ["INVALID_ACCESS_TOKEN", "not_found"],
  ["INVALID_ACCOUNT_ID", "not_found"],
  ["INSTITUTION_DOWN", "unavailable"],
  ["INSTITUTION_NOT_RESPONDING", "unavailable"],
]);

/**
 * Creates the function that makes all calls to Plaid in one mode. It repeats none, because the caller does. The failure of a
 * read is never `unknown`, because a read has no effect.
 */
export function createPlaidCaller({ apiUrl, clientId, secret, timeoutMs }: PlaidOptions): PlaidCaller {
  const client = createVendorClient({ vendor: "plaid", baseUrl: apiUrl, timeoutMs, readRetry: NO_RETRY });
  const api = vendorApi(client, {
    "plaid-client-id": clientId,
    "plaid-secret": secret,
    "plaid-version": API_VERSION,
  });
  return {
    error: api.error,
    call: async ({ operation, path, schema, body, secrets = [], reads, isRequestedObject = () => true }) => {
      try {
        const response = await api.post(operation, path, schema, { body, secrets: [secret, ...secrets] });
        api.expectMatch(operation, [[isRequestedObject(response), true]]);
        return response;
      } catch (error) {
        throw error instanceof VendorError ? withFailure(error, failureOf(error, reads)) : error;
      }
    },
  };
}

function failureOf({ failure, vendorCode = "" }: VendorError, reads = false): VendorFailure {
  if (failure === "refused") return FAILURES.get(vendorCode) ?? failure;
  return reads && failure === "unknown" ? "unavailable" : failure;
}

function withFailure(error: VendorError, failure: VendorFailure): VendorError {
  if (failure === error.failure) return error;
  const { vendor, operation, vendorCode, vendorMessage, retryAfterSeconds, cause } = error;
  return new VendorError(failure, {
    ...{ vendor, operation, cause },
    ...(vendorCode === undefined ? {} : { vendorCode }),
    ...(vendorMessage === undefined ? {} : { vendorMessage }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
