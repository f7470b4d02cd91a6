/**
 * The key that encrypts ("wraps") data keys. It is stored outside the database, in a KMS or in a file. Both methods may
 * make network calls, so they must not be called inside a transaction.
 */
export interface KeyEncryptionKey {
  /** The id of the key that `wrap` uses. Stored with each wrapped key. */
  readonly id: string;
  /**
   * Encrypts 32 bytes for one tenant. The context is authenticated: a key wrapped for one tenant cannot be unwrapped
   * for another.
   */
  wrap(dataKey: Uint8Array, context: WrapContext): Promise<Buffer>;
  /**
   * Decrypts a data key that `wrap` encrypted with the key `id`. Rejects if `wrap` used another context or key, or if
   * the KMS does not respond.
   */
  unwrap(wrapped: Uint8Array, id: string, context: WrapContext): Promise<Buffer>;
}

export interface WrapContext {
  readonly tenantId: string;
  readonly version: number;
}
