import { typeid } from "typeid-js";

export type TenantId = `dev_${string}`;
export type ApiKeyId = `key_${string}`;
export type ProjectId = `proj_${string}`;
export type AuditId = `aud_${string}`;

/**
 * A new id: the prefix names the resource, the 26 characters are a UUIDv7 in lower-case base 32, so that ids made later
 * sort later.
 */
export function newId<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
  return typeid(prefix).toString() as `${Prefix}_${string}`;
}

/** Whether a text has the form of an id with this prefix. One that has not is as absent as one that nobody has. */
export function isId<Prefix extends string>(
  prefix: Prefix,
  text: string,
): text is `${Prefix}_${string}` {
  return (
    text.startsWith(`${prefix}_`) &&
    /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text.slice(prefix.length + 1))
  );
}
