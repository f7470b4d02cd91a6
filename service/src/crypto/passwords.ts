import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { AppError } from "../foundation/errors.ts";
import type { PasswordAnswer, PasswordTask } from "./password-thread.ts";

/** OWASP's second profile for Argon2id, which is the library's own choice of algorithm: about 10 ms a hash. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The most calls that wait, which is about four seconds of hashing. Further calls are refused at once. */
const WAITING_MAX = 200;

/** On a busy machine a hash takes longer than it works. */
const PAUSE_MAX_MS = 25;

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
  /** Takes as long as a check would and is always false: for an address that nobody has. */
  verifyNothing(password: string): Promise<false>;
}

/**
 * Hashes and checks passwords on threads of their own, at most `concurrencyMax` at once and, on Linux, behind everybody who
 * answers requests, so that a flood of logins does not take the machine from the requests that are signed. For the same
 * reason a thread rests after each hash for as long as it took, which also limits how often logins write. Passwords are
 * compared after Unicode NFC. Each method throws `service_unavailable` while too many are waiting.
 */
export function createPasswordHasher({
  concurrencyMax,
}: {
  readonly concurrencyMax: number;
}): PasswordHasher {
  const limited = limitConcurrency(concurrencyMax);
  const check = (stored: string, password: string) =>
    limited(async () => {
      const task = { kind: "verify", stored, password: password.normalize("NFC") } as const;
      return (await run(task)) === true;
    });
  // Made now: the first check of an unknown address must take no longer than the next.
  decoyHash().catch(() => {});
  return {
    hash: (password) => limited(() => hash(password)),
    verify: check,
    verifyNothing: async (password) => {
      await check(await decoyHash(), password);
      return false;
    },
  };
}

/** Idle threads of this process. */
const idle: Worker[] = [];

/** A thread that fails is not used again; one that answers is. */
async function run(task: PasswordTask): Promise<string | boolean> {
  const thread = idle.pop() ?? new Worker(new URL("./password-thread.ts", import.meta.url));
  thread.ref();
  thread.postMessage(task);
  const [answer]: [PasswordAnswer] = await (once(thread, "message") as Promise<[PasswordAnswer]>);
  // An idle thread keeps no process from its end.
  thread.unref();
  idle.push(thread);
  if (answer.kind === "failed") throw new Error(answer.message);
  return answer.result;
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

/** The hash that the password of an unknown address is checked against. It is made once in a process. */
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
      throw new AppError("service_unavailable", { internal: "too many passwords are waiting" });
    }
    return new Promise((resolve, reject) => {
      limit(async () => {
        const beganMs = performance.now();
        await work().then(resolve, reject);
        // The caller has its answer. Only those who wait for a turn are delayed.
        const pauseMs = Math.min(performance.now() - beganMs, PAUSE_MAX_MS);
        await new Promise((goOn) => setTimeout(goOn, pauseMs));
      }).catch(reject);
    });
  };
}
