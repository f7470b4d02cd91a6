import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyText } from "../copy-text.tsx";
import { shorten } from "../format.ts";
import { AppLink } from "../navigation.tsx";
import { Amount, Status, Time } from "../values.tsx";

export interface Column<Row> {
  readonly title: string;
  /** What the cell shows. Without one, the column is only in the CSV file. */
  readonly show?: (row: Row) => ReactNode;
  /** The text in the CSV file. Without one, the column is not in the file. */
  readonly csv?: (row: Row) => string | number | boolean | null | undefined;
  readonly align?: "right";
  /** Hidden on narrow screens. */
  readonly isMinor?: boolean;
}

type Look<Row> = Partial<Omit<Column<Row>, "title" | "csv">>;

export const MINOR = { isMinor: true } as const;

export function textColumn<Row>(
  title: string,
  text: (row: Row) => string | number | null,
  look: Look<Row> = {},
): Column<Row> {
  return { title, csv: text, show: (row) => text(row) ?? "–", ...look };
}

export function timeColumn<Row>(
  title: string,
  at: (row: Row) => string | null,
  look: Look<Row> = MINOR,
  none?: string,
): Column<Row> {
  return { title, csv: at, show: (row) => <Time at={at(row)} none={none} />, ...look };
}

export function statusColumn<Row extends { readonly status: string }>(): Column<Row>;
export function statusColumn<Row>(title: string, status: (row: Row) => string, look?: Look<Row>): Column<Row>;
export function statusColumn(title = "Status", status = (row: { status: string }) => row.status, look = {}) {
  return { title, csv: status, show: (row: { status: string }) => <Status status={status(row)} />, ...look };
}

/** An amount of the row's token, or of dollars. */
export function amountColumn<Row extends { readonly amount: string; readonly token?: string }>(): Column<Row> {
  const show = ({ amount, token = "USD" }: Row) => <Amount amount={amount} currency={token} />;
  return { title: "Amount", align: "right", csv: ({ amount }) => amount, show };
}

/** A long id, address or hash, which can be copied. */
export function idColumn<Row>(title: string, id: (row: Row) => string, look: Look<Row> = MINOR): Column<Row> {
  const show = (row: Row) => <CopyText text={id(row)} what={title.toLowerCase()} shown={shorten(id(row))} />;
  return { title, csv: id, show, ...look };
}

interface Lines<Row> {
  readonly below?: (row: Row) => ReactNode;
  /** What is shown in place of the text. */
  readonly top?: (row: Row) => ReactNode;
}

/** A text, and what is said below it. */
export function linesColumn<Row>(title: string, text: (row: Row) => string | null, lines: Lines<Row>): Column<Row> {
  const { below, top = text } = lines;
  const show = (row: Row) => (
    <Stack gap={2} align="start" maw={400} style={{ overflowWrap: "anywhere" }}>
      {/* An amount or a short name stays on one line. */}
      <Text {...{ size: "sm", fw: 600, component: "div", className: (text(row)?.length ?? 0) > 16 ? "" : "amount" }}>
        {top(row)}
      </Text>
      <Text size="sm" c="dimmed" component="div" lineClamp={3}>
        {below?.(row)}
      </Text>
    </Stack>
  );
  return { title, csv: text, show };
}

interface LinkLines<Row> extends Pick<Lines<Row>, "below"> {
  readonly to: (row: Row) => string;
}

/** A link to the screen of the row, and what is said below it. */
export function linkColumn<Row>(title: string, text: (row: Row) => string, { to, below }: LinkLines<Row>): Column<Row> {
  return linesColumn(title, text, { below, top: (row) => <AppLink to={to(row)}>{text(row)}</AppLink> });
}
