import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, type Options, verifySync } from "@node-rs/argon2";

/** Both are after Unicode NFC. */
export type PasswordTask =
  | { readonly is: "hash"; readonly password: string; readonly parameters: Options }
  | { readonly is: "verify"; readonly stored: string; readonly password: string };

export type PasswordAnswer =
  | { readonly is: "done"; readonly result: string | boolean }
  | { readonly is: "failed"; readonly message: string };

/** Below everybody who answers requests, and above what only uses what is left. */
const PRIORITY = 10;

// On Linux this is the calling thread's own; elsewhere it would be the whole process's.
if (process.platform === "linux") setPriority(PRIORITY);

parentPort?.on("message", (task: PasswordTask) => {
  parentPort?.postMessage(answerTo(task));
});

function answerTo(task: PasswordTask): PasswordAnswer {
  try {
    const result =
      task.is === "hash"
        ? hashSync(task.password, task.parameters)
        : verifySync(task.stored, task.password);
    return { is: "done", result };
  } catch (error) {
    return { is: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
