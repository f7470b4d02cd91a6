/** Something that this process does, and that operators can watch as metrics and as spans of a trace. */
export interface Activity {
  readonly kind: "request" | "statements" | "vendor call" | "saga step" | "fast state call" | "audited action";
  /** One of a limited number of names: never an id or a text of a caller. Its value at the end of the activity counts. */
  name: string;
  /**
   * What else is known, by the names of OpenTelemetry's attributes. Never secrets, bodies or values of statements. Can be
   * added until the activity ends.
   */
  readonly facts: Record<string, string | number>;
  /** The caller's W3C `traceparent`, as it was sent. */
  readonly traceparent?: string | undefined;
}

interface Observers {
  /** Runs the work as a span. Everything that the work starts belongs to this span. */
  trace?: (<Result>(activity: Activity, work: () => Promise<Result>) => Promise<Result>) | undefined;
  /** Counts an activity that has ended. Never throws. */
  meter?: ((activity: Activity, seconds: number, error?: unknown) => void) | undefined;
}

/**
 * Who observes this process. Both are undefined unless the operator has configured them. They are not a part of `App`,
 * because adapters and the database, which do not know `App`, report to them too.
 */
export const observers: Observers = {};

/** Runs the work, and lets the observers see it. Without observers, it only calls `work`. */
export function observed<Result>(activity: Activity, work: () => Promise<Result>): Promise<Result> {
  const { trace, meter } = observers;
  const metered = meter === undefined ? work : () => measure(activity, work, meter);
  return trace === undefined ? metered() : trace(activity, metered);
}

/** Runs one call to a vendor. `operation` is the call's name in the vendor's API. */
export function observedCall<Result>(vendor: string, operation: string, work: () => Promise<Result>): Promise<Result> {
  return observed({ kind: "vendor call", name: operation, facts: { "purser.vendor": vendor } }, work);
}

function measure<Result>(
  activity: Activity,
  work: () => Promise<Result>,
  meter: NonNullable<Observers["meter"]>,
): Promise<Result> {
  const startedAtMs = performance.now();
  const end = (error?: unknown) => meter(activity, (performance.now() - startedAtMs) / 1_000, error);
  const result = work();
  result.then(() => end(), end);
  return result;
}
