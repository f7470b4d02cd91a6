import { Select, SimpleGrid, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Payment } from "../api/api-types.ts";
import { formatName } from "../ui/format.ts";
import { nameOfWallet, useAgents, useProjects, useWallets } from "../ui/names.tsx";
import { AppLink, useFilters } from "../ui/navigation.tsx";

const STATUSES: readonly Payment["status"][] = [
  "requires_approval",
  "authorized",
  "queued",
  "signing",
  "submitted",
  "confirmed",
  "captured",
  "partially_refunded",
  "refunded",
  "voided",
  "canceled",
  "expired",
  "denied",
  "failed",
  "dropped",
];

export function usePaymentFilters() {
  return useFilters("status", "agent_id", "wallet_id", "project_id", "reference", "created_after", "created_before");
}

export function PaymentFilters() {
  const { values, set } = usePaymentFilters();
  const agents = useAgents().map(({ agent_id, name }) => ({ value: agent_id, label: name }));
  const wallets = useWallets().map((wallet) => ({ value: wallet.wallet_id, label: nameOfWallet(wallet) }));
  const projects = useProjects().map(({ project_id, name }) => ({ value: project_id, label: name }));
  const field = <Name extends keyof typeof values>(name: Name) => ({
    value: values[name],
    change: (value: string | null) => set(name, value),
  });
  return (
    <search aria-label="Filters">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="xs" verticalSpacing="xs">
        <Choice
          label="Status"
          {...field("status")}
          data={STATUSES.map((status) => ({ value: status, label: formatName(status) }))}
        />
        <Choice label="Agent" {...field("agent_id")} data={agents} />
        <Choice label="Wallet" {...field("wallet_id")} data={wallets} />
        <Choice label="Project" {...field("project_id")} data={projects} />
        <Typed label="Reference" type="search" {...field("reference")} />
        <Typed label="Created from" type="date" {...field("created_after")} />
        <Typed label="Created to" type="date" {...field("created_before")} />
        {Object.keys(values).length > 0 && (
          <AppLink to="/payments" size="sm" style={{ alignSelf: "end" }} pb={8}>
            Clear filters
          </AppLink>
        )}
      </SimpleGrid>
    </search>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly change: (value: string | null) => void;
}

function Choice({
  label,
  value,
  change,
  data,
}: FieldProps & { readonly data: readonly { readonly value: string; readonly label: string }[] }) {
  return (
    <Select
      label={label}
      size="xs"
      placeholder="Any"
      clearable
      searchable
      clearButtonProps={{ "aria-label": `Clear ${label.toLowerCase()}` }}
      value={value ?? null}
      onChange={change}
      data={data}
    />
  );
}

/** A text is applied when it has been entered. A date is applied as soon as it is complete. */
function Typed({ label, value = "", change, type }: FieldProps & { readonly type: "search" | "date" }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = (next: string) => {
    if (next !== value) change(next);
  };
  return (
    <TextInput
      label={label}
      size="xs"
      type={type}
      {...(type === "search" && { placeholder: "Exact text", maxLength: 200 })}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        if (type === "date" && (currentTarget.value === "" || currentTarget.value > "2")) apply(currentTarget.value);
      }}
      onBlur={() => apply(text)}
      onKeyDown={({ key }) => key === "Enter" && apply(text)}
    />
  );
}

/** Returns when a day begins in the browser's time zone, or a later day. Undefined if the text is no date. */
export function dayStart(day = "", laterDays = 0): string | undefined {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + laterDays);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
