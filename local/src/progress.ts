/** Prints steps with their durations on standard error. Standard output is reserved for the result. */
export interface Progress {
  step<Result>(what: string, work: () => Promise<Result>): Promise<Result>;
  note(text: string): void;
}

export function createProgress(write: (text: string) => void): Progress {
  return {
    step: async (what, work) => {
      const startedAt = performance.now();
      const result = await work();
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      write(`  ✓ ${what.padEnd(52)} ${seconds.padStart(5)} s\n`);
      return result;
    },
    note: (text) => write(`${text}\n`),
  };
}
