/** The time in a cursor, as a regular expression. */
export const POSITION_TIME =
  "\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z";

/** Returns the position that a cursor names: a time and an id. */
export function positionOf(name: string | undefined) {
  if (name === undefined) return undefined;
  const [time = "", id = ""] = name.split(" ");
  return { createdAt: new Date(time), id };
}
