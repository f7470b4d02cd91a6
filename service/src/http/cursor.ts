import { type TProperties, type TSchema, Type } from "typebox";
import { invalidField } from "../foundation/errors.ts";
import { isId } from "../foundation/ids.ts";
import { Count, Flag, Nullable, Text } from "../foundation/wire/fields.ts";

/** The sort key of the last item on a page, encoded as base64url. Opaque to callers. */
export const Cursor = Text("The `next_cursor` of the previous page.", { pattern: "^[A-Za-z0-9_-]{1,200}$" });

const Limit = Count("Maximum number of items per page. Default: 20.", { minimum: 1, maximum: 100 });
export const LIMIT_DEFAULT = 20;

/** The query parameters of a list with cursor pagination and no filters. */
export const CursorQuery = Type.Object(
  { cursor: Type.Optional(Cursor), limit: Type.Optional(Limit) },
  { additionalProperties: false },
);

/** The query parameters of a list with cursor pagination and these filters. */
export function cursorQuery<Filters extends TProperties>(filters: Filters) {
  return Type.Object({ ...CursorQuery.properties, ...filters }, { additionalProperties: false });
}

export const NextCursor = Nullable(Text("The `cursor` value for the next page. Null on the last page."));

/** Returns the schema of one page (docs/rules/conventions.md). The page schema of `Project` is named `ProjectList`. */
export function cursorPage<Item extends TSchema & { readonly $id?: string }>(item: Item) {
  return Type.Object(
    {
      object: Type.Literal("list"),
      data: Type.Array(item),
      has_more: Flag("Whether another page follows."),
      next_cursor: NextCursor,
    },
    { $id: `${item.$id}List` },
  );
}

/** The fields of an item that contain a text, such as its id. */
type TextField<Item> = { [Field in keyof Item]: Item[Field] extends string ? Field : never }[keyof Item];

/** @param sortKey the field with an item's sort key, or a function that returns it; the next page starts after the last item's key */
export function presentPage<Item, Out>(
  { items, hasMore }: { readonly items: readonly Item[]; readonly hasMore: boolean },
  present: (item: Item) => Out,
  sortKey: TextField<Item> | ((item: Item) => string),
) {
  const last = items.at(-1);
  const nextName = hasMore && last !== undefined ? sortKeyOf(last, sortKey) : null;
  return presentPageBefore(items.map(present), nextName);
}

function sortKeyOf<Item>(item: Item, sortKey: TextField<Item> | ((item: Item) => string)): string {
  return typeof sortKey === "function" ? sortKey(item) : String(item[sortKey]);
}

/** @param nextName the sort key after which the next page starts, or null on the last page */
export function presentPageBefore<Out>(data: readonly Out[], nextName: string | null) {
  return {
    object: "list" as const,
    data: [...data],
    has_more: nextName !== null,
    next_cursor: nextName === null ? null : encodeCursor(nextName),
  };
}

export function encodeCursor(lastName: string): string {
  return Buffer.from(lastName).toString("base64url");
}

/** Decodes a cursor. Throws `validation_error` if this list cannot have issued it. */
export function decodeCursor(cursor: string | undefined, form: RegExp): string | undefined {
  return decode(cursor, (name) => form.test(name));
}

/** Decodes the cursor of a list that is sorted by the ids of its items. */
export function decodeIdCursor<Prefix extends string>(cursor: string | undefined, prefix: Prefix) {
  return decode(cursor, (name) => isId(prefix, name)) as `${Prefix}_${string}` | undefined;
}

const MILLISECONDS_LENGTH = 13;

/** Returns the sort key of an item in a list that is sorted by time, then by id. */
export function positionName(at: Date, id: string): string {
  return `${at.getTime()} ${id}`;
}

/** Decodes the cursor of a list that is sorted by time, then by id. */
export function decodePosition(cursor: string | undefined, idForm: RegExp) {
  const name = decode(cursor, (text) => /^\d{13} /.test(text) && idForm.test(text.slice(MILLISECONDS_LENGTH + 1)));
  if (name === undefined) return undefined;
  return { at: new Date(Number(name.slice(0, MILLISECONDS_LENGTH))), id: name.slice(MILLISECONDS_LENGTH + 1) };
}

function decode(cursor: string | undefined, isIssued: (name: string) => boolean): string | undefined {
  if (cursor === undefined) return undefined;
  const name = Buffer.from(cursor, "base64url").toString("utf8");
  if (!isIssued(name) || encodeCursor(name) !== cursor) {
    throw invalidField("/query/cursor", "format", "is not a valid cursor for this list");
  }
  return name;
}
