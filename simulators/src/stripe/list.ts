import { type Static, type TProperties, Type } from "typebox";
import { resourceMissing } from "./stripe-errors.ts";

const LIMIT = 10;

const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  starting_after: Type.Optional(Type.String()),
  ending_before: Type.Optional(Type.String()),
};

/** Returns the query schema of a list route: the filters and Stripe's pagination parameters. */
export function pageQuery<Filters extends TProperties>(filters: Filters) {
  return Type.Object({ ...filters, ...paging }, { additionalProperties: false });
}

const pageOnly = Type.Object(paging);

/** Returns one page in Stripe's list format. `items` must be ordered newest first. */
export function listPage<Item extends { readonly id: string }>(
  items: readonly Item[],
  page: Static<typeof pageOnly>,
  url: string,
) {
  const { limit = LIMIT, starting_after: after, ending_before: before } = page;
  const start = after === undefined ? 0 : positionOf(items, after) + 1;
  const end = before === undefined ? items.length : positionOf(items, before);
  const between = items.slice(start, end);
  const data = before === undefined ? between.slice(0, limit) : between.slice(-limit);
  return { object: "list", url, data, has_more: between.length > limit };
}

function positionOf(items: readonly { readonly id: string }[], id: string): number {
  const position = items.findIndex((item) => item.id === id);
  if (position < 0) throw resourceMissing("object", id, "starting_after", 400);
  return position;
}
