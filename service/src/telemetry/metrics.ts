import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { App } from "../app.ts";
import { AppError } from "../foundation/errors.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { type Activity, observers } from "../foundation/telemetry/activities.ts";
import { VendorError } from "../ports/vendor-error.ts";
import { GAUGES, readPools, readState, type Sample } from "./read-gauges.ts";
import { SecondsHistogram } from "./seconds-histogram.ts";

/** Actions that an alert reports at their first time. A counter that begins with 1 has not increased. */
const ALARMING_ACTIONS = ["ledger.difference_found", "budget.difference_found"];

/** How long what was read from the database is answered again, in milliseconds. */
const STATE_KEPT_MS = 5_000;

export interface MetricsOptions {
  readonly stateKeptMs?: number;
}

export interface Metrics {
  /** Returns all metrics in Prometheus's text format. Without a database, those that it knows are missing. */
  read(): Promise<string>;
  close(): void;
}

/** Starts to count what this process does. A process has at most one of them. */
export function startMetrics(
  app: Pick<App, "db" | "piiDb" | "clock" | "log">,
  { stateKeptMs = STATE_KEPT_MS }: MetricsOptions = {},
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const histograms = countActivities(registry);
  let known: { readonly state: Promise<Sample[]>; readonly readAtMs: number } | undefined;

  const readKnownState = () => {
    const nowMs = performance.now();
    if (known === undefined || nowMs - known.readAtMs >= stateKeptMs) {
      const state = readState(app).catch((error: unknown): Sample[] => {
        app.log.warn({ message: redactedMessage(error) }, "could not read the gauges from the database");
        return [{ name: "purser_database_up", value: 0 }];
      });
      known = { state, readAtMs: nowMs };
    }
    return known.state;
  };
  return {
    read: async () => {
      const state = await readKnownState();
      const texts = await Promise.all([registry.metrics(), textOf([...readPools(app), ...state])]);
      return [...texts, ...histograms.map((histogram) => histogram.text())].join("\n");
    },
    close: () => {
      observers.meter = undefined;
    },
  };
}

/** Counts the activities, and returns their durations. */
function countActivities(registry: Registry): SecondsHistogram[] {
  const registers = [registry];
  const requests = new SecondsHistogram(
    "purser_http_request_duration_seconds",
    "The time from the head of a request to that of its response",
    ["route", "method", "status"],
  );
  const vendorCalls = new SecondsHistogram(
    "purser_vendor_call_duration_seconds",
    "The duration of each attempt to call a vendor. Its outcome is that of the HTTP call, not of a JSON-RPC method",
    ["vendor", "operation", "outcome"],
  );
  const fastStateCalls = new SecondsHistogram(
    "purser_fast_state_call_duration_seconds",
    "The duration of calls to Redis, or to the memory that takes its place",
    ["store", "operation", "outcome"],
  );
  const errors = new Counter({
    name: "purser_http_errors_total",
    help: "Responses with an error, by its code. cap_exceeded is the refusal of a budget, policy_denied that of a policy",
    labelNames: ["code"],
    registers,
  });
  const alarms = new Counter({
    name: "purser_operator_alarms_total",
    help: "Log lines with `operator action required`",
    registers,
  });
  const actions = new Counter({
    name: "purser_audited_actions_total",
    help: "Committed changes, by the action of their audit entry: payment.confirmed",
    labelNames: ["action"],
    registers,
  });
  for (const action of ALARMING_ACTIONS) actions.inc({ action }, 0);
  const count: Readonly<Partial<Record<Activity["kind"], NonNullable<typeof observers.meter>>>> = {
    request: ({ name, facts }, seconds) => {
      requests.add(name, textIn(facts, "http.request.method"), facts["http.response.status_code"] ?? 0, seconds);
      const code = facts["purser.error_code"];
      if (code !== undefined) errors.inc({ code });
    },
    "vendor call": ({ name, facts }, seconds, error) =>
      vendorCalls.add(textIn(facts, "purser.vendor"), name, outcomeOf(error), seconds),
    "fast state call": ({ name, facts }, seconds, error) =>
      fastStateCalls.add(textIn(facts, "purser.store"), name, outcomeOf(error), seconds),
    "audited action": ({ name: action }) => actions.inc({ action }),
    "operator alarm": () => alarms.inc(),
  };
  observers.meter = (activity, seconds, error) => {
    try {
      count[activity.kind]?.(activity, seconds, error);
    } catch {
      // What is not counted must not fail.
    }
  };
  return [requests, vendorCalls, fastStateCalls];
}

function textIn(facts: Activity["facts"], name: string): string {
  return String(facts[name] ?? "");
}

function outcomeOf(error: unknown): string {
  if (error === undefined) return "ok";
  if (error instanceof VendorError) return error.failure;
  return error instanceof AppError ? error.code : "error";
}

/** The gauges are made anew for each read, so that none keeps the value of an object that is gone. */
function textOf(samples: readonly Sample[]): Promise<string> {
  const registry = new Registry();
  for (const [name, same] of Map.groupBy(samples, (sample) => sample.name)) {
    const labelNames = Object.keys(same[0]?.labels ?? {});
    const gauge = new Gauge({ name, help: GAUGES[name], labelNames, registers: [registry] });
    for (const { labels = {}, value } of same) gauge.set(labels, value);
  }
  return registry.metrics();
}
