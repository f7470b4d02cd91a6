/** Prints each step with its duration and outcome. */
export interface Steps {
  do<Result>(what: string, work: () => Promise<{ readonly result: Result; readonly message: string }>): Promise<Result>;
  summary(): void;
}

export function createSteps(write: (text: string) => void): Steps {
  const startedAt = performance.now();
  let count = 0;
  return {
    do: async (what, work) => {
      const before = performance.now();
      const { result, message } = await work();
      count += 1;
      const elapsed = `${Math.round(performance.now() - before)} ms`;
      write(`${String(count).padStart(3)}  ${what.padEnd(33)} ${elapsed.padStart(8)}   ${message}\n`);
      return result;
    },
    summary: () => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      write(`\n${count} steps in ${seconds} s. All data has been removed.\n`);
    },
  };
}
