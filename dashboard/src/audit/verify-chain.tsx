import { Alert, Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AuditEntry, AuditVerification } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { Id } from "../ui/names.tsx";
import { Facts } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Status, Time } from "../ui/values.tsx";

export type Chain = AuditEntry["chain"];

/** Recomputes an audit chain on the server when asked, and shows what came out. */
export function VerifyChain({ chain }: { chain: Chain }) {
  const [result, setResult] = useState<AuditVerification>();
  const { error, isRunning, submit } = useSubmit(async () => {
    setResult(undefined);
    setResult((await api.GET("/audit/verify", { params: { query: { chain } } })).data);
  });
  return (
    <Stack>
      <form onSubmit={submit}>
        <Button type="submit" variant="default" size="xs" loading={isRunning}>
          Verify audit chain
        </Button>
      </form>
      <ProblemAlert error={error} />
      {result !== undefined && <Result result={result} />}
    </Stack>
  );
}

const ANCHORS: Readonly<Record<AuditVerification["anchor"]["status"], string>> = {
  matched: "The chain matches the signed checkpoint that is kept outside of the database.",
  pending: "No checkpoint is kept outside of the database yet. The first one comes with the next run.",
  mismatch: "The chain does not match the signed checkpoint that is kept outside of the database.",
  unavailable: "The copy outside of the database did not respond, so the chain could only be compared with itself.",
};

const BREAKS: Readonly<Record<NonNullable<AuditVerification["broken_at"]>["reason"], string>> = {
  hash_mismatch: "its content was changed",
  prev_hash_mismatch: "it does not follow the entry before it",
  sequence_gap: "entries before it are missing",
  missing_entry: "it is missing",
};

function verdictOf({ valid }: AuditVerification): readonly [color: string, title: string] {
  if (valid === null) return ["orange", "The chain is consistent, but could not be compared with its anchor"];
  return valid ? ["teal", "The chain is valid"] : ["red", "The chain is not valid"];
}

function Result({ result }: { result: AuditVerification }) {
  const { anchor, broken_at: broken } = result;
  const [color, title] = verdictOf(result);
  return (
    <Alert color={color} title={title} role="status">
      <Stack gap="sm">
        {broken !== null && (
          <Text size="sm">
            Entry {broken.sequence} is wrong: {BREAKS[broken.reason]}. {formatName(broken.reason)}: expected{" "}
            {broken.expected ?? "nothing"}, found {broken.actual ?? "nothing"}.
          </Text>
        )}
        <Text size="sm">{ANCHORS[anchor.status]}</Text>
        {result.truncation_detected && <Text size="sm">The end of the chain was cut off.</Text>}
        <Facts
          facts={[
            ["Entries checked", result.entries_checked],
            ["Anchor", <Status key="anchor" status={anchor.status} />],
            ["Entries after the checkpoint", anchor.unanchored_entries],
            ["Checkpoint", <Time key="anchored" at={anchor.anchored_at} none="None yet" />],
            ["Head hash", <Id key="head" text={result.head_hash} what="head hash" />],
            ["Checked", <Time key="checked" at={result.checked_at} />],
          ]}
        />
      </Stack>
    </Alert>
  );
}
