/** Something that this process does, and that operators can watch as metrics and as spans of a trace. */
export interface Activity {
  readonly kind:
    | "request"
    | "statements"
    | "vendor call"
    | "saga step"
    | "fast state call"
    | "audited action"
    | "operator alarm";
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

/** An activity in a trace. */
export interface Span {
  /** Runs work that belongs to the span, with everything that it starts. */
  run<Result>(work: () => Result): Result;
  end(error?: unknown): void;
}

interface Observers {
  /** Starts the span of an activity, below the current one. Undefined if the activity has none. */
  startSpan?: ((activity: Activity) => Span | undefined) | undefined;
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
  const { startSpan, meter } = observers;
  const span = startSpan?.(activity);
  if (span === undefined && meter === undefined) return work();
  const startedAtMs = performance.now();
  const end = (error?: unknown) => {
    meter?.(activity, (performance.now() - startedAtMs) / 1_000, error);
    span?.end(error);
  };
  const result = span === undefined ? work() : span.run(work);
  result.then(() => end(), end);
  return result;
}

/** Runs one call to a vendor. `operation` is the call's name in the vendor's API. */
export function observedCall<Result>(vendor: string, operation: string, work: () => Promise<Result>): Promise<Result> {
  return observed({ kind: "vendor call", name: operation, facts: { "purser.vendor": vendor } }, work);
}
