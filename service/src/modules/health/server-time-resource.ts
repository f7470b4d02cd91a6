import { type Static, Type } from "typebox";
import { Timestamp } from "../../foundation/wire/fields.ts";
import { NamedObject } from "../../foundation/wire/named-object.ts";

/** The server's time, for clients whose signed requests need an accurate timestamp (docs/api.md, section 2.4). */
export const ServerTimeResource = NamedObject("ServerTime", {
  unix: Type.Integer({ description: "The server's time as a Unix timestamp in seconds." }),
  iso: Timestamp,
});

export function presentServerTime(now: Date): Static<typeof ServerTimeResource> {
  return { unix: Math.floor(now.getTime() / 1000), iso: now.toISOString() };
}
