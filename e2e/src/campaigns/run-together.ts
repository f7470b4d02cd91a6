/**
 * Waits until all tasks have ended. The first failure aborts `ending`, which the tasks must watch, and is thrown when the
 * last task has ended.
 */
export async function runTogether(
  ending: AbortController,
  tasks: readonly Promise<unknown>[],
): Promise<void> {
  const ended = await Promise.allSettled(
    tasks.map((task) =>
      task.catch((error: unknown) => {
        ending.abort();
        throw error;
      }),
    ),
  );
  const failure = ended.find((outcome) => outcome.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}
