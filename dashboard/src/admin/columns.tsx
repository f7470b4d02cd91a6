import { CopyText } from "../ui/copy-text.tsx";
import { formatDuration } from "../ui/format.ts";
import type { Column } from "../ui/list-table.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Status, Time } from "../ui/values.tsx";

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

export function DeveloperLink({ id }: { readonly id: string }) {
  return (
    <AppLink to={`/developers/${id}`} size="sm" style={{ overflowWrap: "anywhere" }}>
      {id}
    </AppLink>
  );
}
