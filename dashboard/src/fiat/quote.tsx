import { Alert, Button, Group, Progress, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Conversion } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { useGo } from "../ui/navigation.tsx";
import { Facts } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/values.tsx";
import { FeeAmount, rateOf, SideAmount } from "./conversion-facts.tsx";

const QUOTE_LIFETIME_MS = 30_000;

/** A quote with the time that is left, and the button that executes it. */
export function Quote({ quote, renew }: { readonly quote: Conversion; readonly renew: () => Promise<void> }) {
  const go = useGo();
  const client = useQueryClient();
  // The browser's clock can be wrong, so the time counts from the moment at which the quote came.
  const [untilMs] = useState(() => Date.now() + QUOTE_LIFETIME_MS);
  const leftMs = useTimeLeft(untilMs);
  const isExpired = leftMs === 0;
  const [isRenewing, setRenewing] = useState(false);
  const renewQuote = () => {
    setRenewing(true);
    void renew().finally(() => setRenewing(false));
  };
  const { error, isRunning, submit } = useSubmit(async () => {
    await execute(quote);
    await client.invalidateQueries();
    go(`/fiat/conversions/${quote.conversion_id}`);
  });
  const seconds = Math.ceil(leftMs / 1_000);
  return (
    <form onSubmit={submit}>
      <Section title="Quote">
        <QuoteFacts quote={quote} />
        {isExpired ? (
          <Alert color="orange">The quote has expired. Nothing was converted.</Alert>
        ) : (
          <div>
            <Text size="sm" mb={4} role="timer">
              Valid for {seconds} s
            </Text>
            <Progress value={(leftMs / QUOTE_LIFETIME_MS) * 100} aria-label="Time left" />
          </div>
        )}
        <ProblemAlert error={error} />
        <Group justify="end">
          {isExpired ? (
            <Button onClick={renewQuote} loading={isRenewing}>
              Get a new quote
            </Button>
          ) : (
            <Button type="submit" loading={isRunning}>
              Convert now
            </Button>
          )}
        </Group>
      </Section>
    </form>
  );
}

export function QuoteFacts({ quote }: { readonly quote: Conversion }) {
  return (
    <Facts
      facts={[
        ["You send", <SideAmount key="source" side={quote.source} />],
        ["Fee, taken from it", <FeeAmount key="fee" conversion={quote} />],
        ["What arrives", <SideAmount key="destination" side={quote.destination} />],
        ["Rate", rateOf(quote)],
        ["Expected by", <Time key="time" at={quote.expected_completion_at} />],
      ]}
    />
  );
}

export async function execute({ conversion_id }: Conversion): Promise<void> {
  const params = { path: { conversion_id: conversion_id ?? "" } };
  await api.POST("/fiat/conversions/{conversion_id}/execute", { params });
}

/** Returns how long it is until a time of the browser's clock, and again each second. */
export function useTimeLeft(untilMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now);
  const leftMs = Math.max(0, untilMs - nowMs);
  useEffect(() => {
    if (leftMs === 0) return;
    const timer = setTimeout(() => setNowMs(Date.now()), 1_000);
    return () => clearTimeout(timer);
  }, [leftMs]);
  return leftMs;
}
