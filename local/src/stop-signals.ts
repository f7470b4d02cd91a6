export interface StopSignals {
  /** The first signal that asked this process to stop. */
  readonly asked: Promise<NodeJS.Signals>;
  readonly isAsked: boolean;
  /** A signal of somebody who does not want to wait any longer. */
  readonly urged: Promise<NodeJS.Signals>;
}

/**
 * A Ctrl-C arrives more than once: the terminal sends it to every process, and npm and `scripts/on-node-24.cjs` pass theirs
 * on. What comes this soon after the first signal is the same wish.
 */
const SAME_WISH_MS = 500;
const LOOK_FOR_PARENT_MS = 200;

/**
 * Takes the signals that stop a program from now on, so that it can stop in its own time.
 *
 * npm hands a signal to the shell that it has put between itself and us, and the shell ends without passing it on. With
 * `runsUnderNpm` the end of that shell counts as the signal.
 */
export function watchStopSignals({
  runsUnderNpm,
}: {
  readonly runsUnderNpm: boolean;
}): StopSignals {
  const asked = Promise.withResolvers<NodeJS.Signals>();
  const urged = Promise.withResolvers<NodeJS.Signals>();
  let askedAtMs: number | undefined;
  const take = (signal: NodeJS.Signals) => {
    askedAtMs ??= performance.now();
    asked.resolve(signal);
    if (performance.now() - askedAtMs > SAME_WISH_MS) urged.resolve(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, take);
  if (runsUnderNpm) onceParentEnds(() => take("SIGTERM"));
  return {
    asked: asked.promise,
    urged: urged.promise,
    get isAsked() {
      return askedAtMs !== undefined;
    },
  };
}

function onceParentEnds(then: () => void): void {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    then();
  }, LOOK_FOR_PARENT_MS);
  looking.unref();
}
