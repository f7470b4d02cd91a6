export interface StopSignals {
  /** Resolves with the first signal that requests a stop. */
  readonly requested: Promise<NodeJS.Signals>;
  readonly isRequested: boolean;
  /** Resolves with a second stop signal, which requests an exit without waiting. */
  readonly forced: Promise<NodeJS.Signals>;
}

/**
 * One Ctrl-C arrives several times: the terminal sends it to every process in the group, and npm and
 * `scripts/on-node-24.cjs` also forward it. Signals within this time after the first one count as the same request.
 */
const SAME_REQUEST_MS = 500;
const PARENT_POLL_MS = 200;

/**
 * Handles the signals that would otherwise end this process, so that it can stop cleanly.
 *
 * npm runs scripts in a shell. A signal that is sent to npm ends that shell, and the shell does not forward it. With
 * `runsUnderNpm`, the end of the shell is therefore handled as SIGTERM.
 */
export function watchStopSignals({ runsUnderNpm }: { readonly runsUnderNpm: boolean }): StopSignals {
  const requested = Promise.withResolvers<NodeJS.Signals>();
  const forced = Promise.withResolvers<NodeJS.Signals>();
  let requestedAtMs: number | undefined;
  const handle = (signal: NodeJS.Signals) => {
    requestedAtMs ??= performance.now();
    requested.resolve(signal);
    if (performance.now() - requestedAtMs > SAME_REQUEST_MS) forced.resolve(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, handle);
  if (runsUnderNpm) onceParentEnds(() => handle("SIGTERM"));
  return {
    requested: requested.promise,
    forced: forced.promise,
    get isRequested() {
      return requestedAtMs !== undefined;
    },
  };
}

function onceParentEnds(onEnd: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, PARENT_POLL_MS);
  timer.unref();
}
