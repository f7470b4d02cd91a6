import { CopyText } from "./copy-text.tsx";
import { formatDuration } from "./format.ts";
import type { Column } from "./list-table.tsx";
import { Status, Time } from "./values.tsx";

/** Columns of lists for the values of the API. Texts, ids and times are hidden on narrow screens unless `options` are given. */
type Value<Row, Type> = (row: Row) => Type;
type Options = Pick<Column<unknown>, "align" | "isMinor">;
const MINOR: Options = { isMinor: true };

export function textColumn<Row>(title: string, text: Value<Row, string | null>, options = MINOR): Column<Row> {
  return { title, ...options, csv: text, show: (row) => text(row) ?? "–" };
}

export function countColumn<Row>(title: string, count: Value<Row, number>): Column<Row> {
  return { title, align: "right", csv: count, show: (row) => count(row).toLocaleString("en") };
}

export function ageColumn<Row>(title: string, seconds: Value<Row, number>): Column<Row> {
  return { title, align: "right", csv: seconds, show: (row) => formatDuration(seconds(row) * 1_000) };
}

export function timeColumn<Row>(title: string, at: Value<Row, string | null>, options = MINOR): Column<Row> {
  return { title, ...options, csv: at, show: (row) => <Time at={at(row)} /> };
}

export function statusColumn<Row>(title: string, status: Value<Row, string>, options: Options = {}): Column<Row> {
  return { title, ...options, csv: status, show: (row) => <Status status={status(row)} /> };
}

export function idColumn<Row>(title: string, what: string, id: Value<Row, string>): Column<Row> {
  return { title, isMinor: true, csv: id, show: (row) => <CopyText text={id(row)} what={what} /> };
}
