import type { ApiPromise } from "../api-promise.ts";
import type {
  ApiKey,
  AuthFailure,
  CreateApiKeyRequest,
  IssuedApiKey,
  RevokedApiKey,
  RotateApiKeyRequest,
  RotatedAccountPair,
  RotatedApiKey,
  TestSignature,
  TestSignatureRequest,
} from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

const KEYS = "/developers/me/keys";

/** A newly issued key pair. The server returns it only once, so store it. */
export type KeyTexts = Pick<IssuedApiKey, "api_key" | "api_secret">;

export class DeveloperKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists API keys, newest first. The first page contains all keys that are not revoked; later pages contain the
   * revoked keys. In test mode, only test keys are listed.
   */
  list(query: CursorQuery = {}, options?: RequestOptions): PagePromise<ApiKey> {
    return requestPages(this.#transport, KEYS, query, options);
  }

  /**
   * Creates an API key. Only this response contains the secret.
   *
   * @throws ConflictError with code `secret_already_issued` if an earlier attempt of this call created the key, but its
   * response did not arrive. Revoke that key and create another one.
   */
  issue(body: CreateApiKeyRequest, options?: RequestOptions): ApiPromise<IssuedApiKey> {
    return this.#transport.request({ method: "POST", path: KEYS, access: "tenant", body }, options);
  }

  revoke(keyId: string, options?: RequestOptions): ApiPromise<RevokedApiKey> {
    return this.#transport.request(
      { method: "DELETE", path: path`/developers/me/keys/${keyId}`, access: "tenant" },
      options,
    );
  }

  /** Replaces a key with a new key that has the same permissions. The old key works until its grace period ends. */
  rotate(keyId: string, body: RotateApiKeyRequest = {}, options?: RequestOptions): ApiPromise<RotatedApiKey> {
    const route = path`/developers/me/keys/${keyId}/rotate`;
    return this.#transport.request({ method: "POST", path: route, access: "tenant", body }, options);
  }

  /** Replaces the account's key pair for the client's mode. The old pair stops working immediately. */
  rotateAccountPair(options?: RequestOptions): ApiPromise<RotatedAccountPair> {
    return this.#transport.request({ method: "POST", path: "/developers/rotate-key", access: "dashboard" }, options);
  }

  /**
   * For debugging: returns the text to sign and the signature that the server computes for a request. Works only with
   * test keys.
   */
  testSignature(keyId: string, body: TestSignatureRequest, options?: RequestOptions): ApiPromise<TestSignature> {
    const route = path`/developers/me/keys/${keyId}/test-signature`;
    return this.#transport.request({ method: "POST", path: route, access: "tenant", body }, options);
  }

  /** Lists failed authentication attempts with the developer's keys, newest first. */
  authFailures(query: CursorQuery = {}, options?: RequestOptions): PagePromise<AuthFailure> {
    return requestPages(this.#transport, "/developers/me/auth-failures", query, options);
  }
}
