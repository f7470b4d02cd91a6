import { CopyText } from "../copy-text.tsx";
import { formatDuration } from "../format.ts";
import { Status, Time } from "../values.tsx";
import type { Column } from "./list-table.tsx";

type Text = string | number | null;
type Look = Pick<Column<unknown>, "align" | "isMinor">;

/** Hidden on narrow screens. */
export const MINOR = { isMinor: true } as const;

export function textColumn<Row>(title: string, text: (row: Row) => Text, look: Look = {}): Column<Row> {
  return { title, csv: text, show: (row) => text(row) ?? "–", ...look };
}

export function timeColumn<Row>(title: string, at: (row: Row) => string | null, look: Look = {}): Column<Row> {
  return { title, csv: at, show: (row) => <Time at={at(row)} />, ...look };
}

export function countColumn<Row>(title: string, count: (row: Row) => number): Column<Row> {
  return { title, align: "right", csv: count, show: (row) => count(row).toLocaleString("en") };
}

export function ageColumn<Row>(title: string, seconds: (row: Row) => number): Column<Row> {
  return { title, align: "right", csv: seconds, show: (row) => formatDuration(seconds(row) * 1_000) };
}

export function statusColumn<Row>(title: string, status: (row: Row) => string, look: Look = {}): Column<Row> {
  return { title, csv: status, show: (row) => <Status status={status(row)} />, ...look };
}

/** A long id or hash, of which `shorten` shows a part. `what` names it for the button that copies it. */
export function idColumn<Row>(
  title: string,
  what: string,
  id: (row: Row) => string,
  shorten: (id: string) => string = (whole) => whole,
): Column<Row> {
  const show = (row: Row) => <CopyText text={id(row)} what={what} shown={shorten(id(row))} />;
  return { title, csv: id, show, isMinor: true };
}
