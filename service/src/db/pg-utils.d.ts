/** A pg module that pg's types do not declare. */
declare module "pg/lib/utils.js" {
  /** Serializes a value for the server as text, bytes or null. */
  export function prepareValue(value: unknown): string | Uint8Array | null;
}
