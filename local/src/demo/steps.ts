/** Prints each step of a journey with what came of it and how long it took. */
export interface Steps {
  do<Result>(
    what: string,
    work: () => Promise<{ readonly result: Result; readonly told: string }>,
  ): Promise<Result>;
  summary(): void;
}

export function createSteps(write: (text: string) => void): Steps {
  const startedAt = performance.now();
  let count = 0;
  return {
    do: async (what, work) => {
      const before = performance.now();
      const { result, told } = await work();
      count += 1;
      const elapsed = `${Math.round(performance.now() - before)} ms`;
      write(`${String(count).padStart(3)}  ${what.padEnd(33)} ${elapsed.padStart(8)}   ${told}\n`);
      return result;
    },
    summary: () => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      write(`\n${count} steps in ${seconds} s. Nothing of it is left behind.\n`);
    },
  };
}
