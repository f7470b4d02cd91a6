import { Type } from "typebox";
import { invalidField } from "../../../foundation/errors.ts";

/** Where a page ended, as lists hand it out and take it back. Opaque to callers: the last name, which tells them nothing new. */
export const Cursor = Type.String({ pattern: "^[A-Za-z0-9_-]{1,200}$" });

export const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 20 });
export const LIMIT_DEFAULT = 20;

export function cursorAfter(lastName: string): string {
  return Buffer.from(lastName).toString("base64url");
}

/** The name in a cursor. One that no list can have handed out is refused. */
export function nameInCursor(cursor: string | undefined, form: RegExp): string | undefined {
  if (cursor === undefined) return undefined;
  const name = Buffer.from(cursor, "base64url").toString("utf8");
  if (!form.test(name) || cursorAfter(name) !== cursor) {
    throw invalidField("/query/cursor", "format", "is not a cursor of this list");
  }
  return name;
}
