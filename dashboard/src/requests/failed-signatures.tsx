import { Stack, Text } from "@mantine/core";
import type { AuthFailure } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyIcon } from "../ui/copy-text.tsx";
import { formatCount, formatDuration } from "../ui/format.ts";
import { type Column, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { KeyName } from "../ui/names.tsx";
import { Empty } from "../ui/page.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";

/** Requests that were rejected with 401, with what to do about each. The 401 itself never says why. */
export function FailedSignatures() {
  const params = { query: { limit: 50 } };
  return (
    <ListTable
      label="Failed signatures"
      list={pagedRows(hooks.useInfiniteQuery("get", "/developers/me/auth-failures", { params }, PAGED))}
      rowKey={({ key_id, reason, network, first_at }) => [key_id, reason, network, first_at].join()}
      columns={COLUMNS}
      empty={
        <Empty title="No rejected request in the last 30 days">
          <Text size="sm">
            When a request with one of your keys gets a 401, this page says which check failed and how to fix it.
          </Text>
        </Empty>
      }
    />
  );
}

const COLUMNS: readonly Column<AuthFailure>[] = [
  timeColumn("Last seen", ({ occurred_at }) => occurred_at),
  textColumn("Times", ({ count }) => count, { align: "right", isMinor: true }),
  textColumn("What failed, and how to fix it", ({ reason }) => reason, { show: (one) => <Fix failure={one} /> }),
  textColumn("Clock (s)", ({ skew_seconds }) => skew_seconds, { align: "right", isMinor: true }),
  textColumn("Key", ({ key_id }) => key_id, {
    ...MINOR,
    show: ({ key_id, mode }) => (
      <Stack gap={2} align="start">
        {key_id === null ? <Text size="sm">Dashboard session</Text> : <KeyName id={key_id} />}
        <Status status={mode} />
      </Stack>
    ),
  }),
  textColumn("Network", ({ network }) => network, MINOR),
  textColumn("Id", ({ request_id }) => request_id, {
    ...MINOR,
    show: ({ request_id }) => <CopyIcon text={request_id} what="id of the last request" />,
  }),
];

function Fix({ failure }: { failure: AuthFailure }) {
  const [problem, fix] = diagnose(failure);
  return (
    <Stack gap={2} maw={640}>
      <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
        <Time at={failure.occurred_at} />, {formatCount(failure.count, "time")}
      </Text>
      <Text size="sm" fw={600}>
        {problem}
      </Text>
      <Text size="sm">{fix}</Text>
      <Dimmed>{`Step ${failure.step} of 5: ${STEPS[failure.step]}`}</Dimmed>
    </Stack>
  );
}

type Fix = readonly [problem: string, fix: string];

/** Why requests are rejected, and how to fix it, for each reason other than the clock. */
const FIXES: Readonly<Record<Exclude<AuthFailure["reason"], "timestamp_skewed">, Fix>> = {
  header_missing: [
    "A signing header was missing, or sent twice",
    "Send Authorization, X-Timestamp, X-Nonce and X-Request-Signature, each exactly once. If your code does, look for a proxy that drops or repeats them. The SDK sends all four.",
  ],
  mode_missing: [
    "A dashboard token was sent without its mode",
    "Add the header X-Svc-Mode with test or live. A call with a key needs none: the key has its mode.",
  ],
  nonce_malformed: [
    "The nonce had the wrong form",
    "Send 16 to 128 printable characters without spaces in X-Nonce, for example 32 random hexadecimal digits.",
  ],
  nonce_replayed: [
    "The nonce was used before",
    "Make a new nonce for every attempt, also when you send the same call again. If you did not send it twice, check who else can read your requests.",
  ],
  key_revoked: [
    "The key is revoked",
    "A program still uses this key. Give it another key, or stop it. If you do not know the network, someone else has a copy: it no longer works.",
  ],
  key_expired: [
    "The key has expired",
    "Create a new key pair and put it into the program's environment. Next time, rotate the key before it ends: both then work for a while.",
  ],
  network_not_allowed: [
    "The key does not accept this network",
    "If the network is yours, create a key whose IP allowlist contains it. If it is not, someone else has the key: revoke it.",
  ],
  signature_mismatch: [
    "The signature does not match the request",
    "Check in this order: the secret belongs to this key and not to the other mode; the signing key is the SHA-256 of the secret as hexadecimal text; the path starts with /api/v1/svc and has its query string; the body is hashed as the bytes that are sent. POST /developers/me/keys/{key_id}/test-signature shows what the server computes for a test key.",
  ],
  signature_replayed: [
    "The same signature came twice",
    "Two equal calls in one second have the same signature. Sign again a second later, and keep the Idempotency-Key so that the work is done once. Ed25519 keys do not have this limit.",
  ],
};

/** Says in plain words why requests were rejected, and what to do. */
function diagnose({ reason, skew_seconds }: Pick<AuthFailure, "reason" | "skew_seconds">): Fix {
  return reason === "timestamp_skewed" ? clockFix(skew_seconds) : FIXES[reason];
}

function clockFix(skewSeconds: number | null): Fix {
  if (skewSeconds === null) {
    return [
      "The timestamp had the wrong form",
      "Send the seconds since 1970 in X-Timestamp, as ten digits. Thirteen digits are milliseconds: divide by 1,000 and round down.",
    ];
  }
  const problem = `Your clock is ${formatDuration(Math.abs(skewSeconds) * 1_000)} ${skewSeconds > 0 ? "ahead" : "behind"}`;
  const fix = `${problem}: sync it with a time server (NTP). At most 30 s are accepted.`;
  if (skewSeconds > 0) return [problem, `${fix} GET /time returns the server's clock.`];
  return [
    problem,
    `${fix} If the clock is right, the request waited in a queue after it was signed: sign it right before you send it.`,
  ];
}

/** What the server checks in each step (docs/rules/signing.md). */
const STEPS = ["", "headers", "timestamp", "nonce", "key", "signature"] as const;
