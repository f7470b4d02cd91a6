import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { AppError } from "../foundation/errors.ts";
import type { PasswordResponse, PasswordTask } from "./password-thread.ts";

/**
 * OWASP's second recommended profile for Argon2id, about 10 ms per hash. The algorithm is not set, because Argon2id is
 * the library's default.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Maximum number of waiting calls. Further calls fail immediately. */
const WAITING_MAX = 200;

/**
 * Maximum pause after a hash. The pause is as long as the hash took. On a busy machine, a hash can take much longer
 * than its CPU time, so the pause is limited.
 */
const PAUSE_MAX_MS = 25;

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
  /**
   * Takes as long as `verify` and returns false. Called for unknown email addresses, so that timing does not reveal
   * whether an address has an account.
   */
  verifyDecoy(password: string): Promise<false>;
}

/**
 * Hashes and verifies passwords on at most `concurrencyMax` separate threads. A flood of logins must not slow down
 * other requests: on Linux the threads have a lower priority, and after each hash a thread pauses for as long as the
 * hash took. Passwords are normalized to Unicode NFC. Each method throws `service_unavailable` if too many calls are
 * waiting.
 */
export function createPasswordHasher({ concurrencyMax }: { readonly concurrencyMax: number }): PasswordHasher {
  const limited = limitConcurrency(concurrencyMax);
  const check = (stored: string, password: string) =>
    limited(async () => {
      const task = { kind: "verify", stored, password: password.normalize("NFC") } as const;
      return (await run(task)) === true;
    });
  // The decoy hash is computed in advance. Otherwise the first login with an unknown address would take longer than
  // later ones.
  decoyHash().catch(() => {});
  return {
    hash: (password) => limited(() => hash(password)),
    verify: check,
    verifyDecoy: async (password) => {
      await check(await decoyHash(), password);
      return false;
    },
  };
}

/** Idle threads, shared by all hashers in this process. */
const idle: Worker[] = [];

/** Runs a task on an idle or new thread. A thread that crashes is not reused. */
async function run(task: PasswordTask): Promise<string | boolean> {
  const thread = idle.pop() ?? new Worker(new URL("./password-thread.ts", import.meta.url));
  thread.ref();
  thread.postMessage(task);
  const [reply]: [PasswordResponse] = await (once(thread, "message") as Promise<[PasswordResponse]>);
  // An idle thread must not keep the process running.
  thread.unref();
  idle.push(thread);
  if (reply.kind === "failed") throw new Error(reply.message);
  return reply.result;
}

async function hash(password: string): Promise<string> {
  const task = {
    kind: "hash",
    password: password.normalize("NFC"),
    parameters: PARAMETERS,
  } as const;
  return String(await run(task));
}

let decoy: Promise<string> | undefined;

/** Returns the hash that passwords for unknown email addresses are compared with. Computed once per process. */
function decoyHash(): Promise<string> {
  decoy ??= hash(randomUUID()).catch((error: unknown) => {
    decoy = undefined;
    throw error;
  });
  return decoy;
}

function limitConcurrency(max: number) {
  const limit = pLimit(max);
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.activeCount + limit.pendingCount >= max + WAITING_MAX) {
      throw new AppError("service_unavailable", {
        internal: "too many password checks are queued",
      });
    }
    return new Promise((resolve, reject) => {
      limit(async () => {
        const startedMs = performance.now();
        await work().then(resolve, reject);
        // The caller already has its result, so the pause delays only waiting calls.
        const pauseMs = Math.min(performance.now() - startedMs, PAUSE_MAX_MS);
        await new Promise((resume) => setTimeout(resume, pauseMs));
      }).catch(reject);
    });
  };
}
