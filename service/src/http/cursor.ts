import { type TSchema, Type } from "typebox";
import { invalidField } from "../foundation/errors.ts";
import { Nullable } from "../foundation/wire/common.ts";

/** Where a page ended, as lists hand it out and take it back. Opaque to callers: the last name, which tells them nothing new. */
export const Cursor = Type.String({
  pattern: "^[A-Za-z0-9_-]{1,200}$",
  description: "The `next_cursor` of the page before.",
});

export const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 20 });
export const LIMIT_DEFAULT = 20;

/** The query of a list that goes on by a cursor, and nothing else. */
export const CursorQuery = Type.Object(
  { cursor: Type.Optional(Cursor), limit: Type.Optional(Limit) },
  { additionalProperties: false },
);

/** One page of such a list (docs/api.md). A list of `Project` is named `ProjectList`. */
export function cursorPage<Item extends TSchema & { readonly $id?: string }>(item: Item) {
  return Type.Object(
    {
      object: Type.Literal("list"),
      data: Type.Array(item),
      has_more: Type.Boolean(),
      next_cursor: Nullable(Type.String()),
    },
    { $id: `${item.$id}List` },
  );
}

/** @param nameOf the name that the page after this one goes on behind */
export function presentPage<Item, Out>(
  { items, hasMore }: { readonly items: readonly Item[]; readonly hasMore: boolean },
  present: (item: Item) => Out,
  nameOf: (item: Item) => string,
) {
  const last = items.at(-1);
  return {
    object: "list" as const,
    data: items.map(present),
    has_more: hasMore,
    next_cursor: hasMore && last !== undefined ? cursorAfter(nameOf(last)) : null,
  };
}

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
