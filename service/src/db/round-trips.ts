import { invariant } from "../foundation/invariant.ts";
import type { PreparedStatement } from "./prepared-query.ts";

/** Sets the tenant whose rows a transaction can write and whose secrets it can read. */
export const SET_TENANT = "select set_config('purser.tenant_id', $1, true)";
/** Also limits how long each statement of the transaction waits for a lock. */
export const SET_TENANT_AND_LOCK_TIMEOUT = `${SET_TENANT}, set_config('lock_timeout', $2, true)`;

/**
 * Marks a statement of a transaction that is sent with the next statement. Its result is discarded. If it fails, the next
 * statement fails with its error.
 */
export const WITH_NEXT = "/* with next */ ";
/**
 * Marks the last statement of a transaction, which is sent with the commit. After it, the transaction must send nothing,
 * and must not fail.
 */
export const THEN_COMMIT = "/* then commit */ ";

/** Statements that are sent together. */
export interface RoundTrip {
  readonly statements: readonly PreparedStatement[];
  /** The index of the statement whose result is returned. */
  readonly resultIndex: number;
  /** Whether the last statement is a commit. */
  readonly commits: boolean;
  /** Whether a statement can wait for a lock. */
  readonly mayWait: boolean;
}

/**
 * Decides which statements of a connection are sent together. A transaction's start and its tenant are sent with its
 * first statement.
 */
export class RoundTrips {
  readonly #commit: PreparedStatement;
  /** The statements that are sent with the next one. */
  #waiting: PreparedStatement[] = [];
  /**
   * `requested`: nothing of the transaction was sent. `ending`: its commit was sent. `committed`: it was committed with its
   * last statement, and the caller's own commit follows.
   */
  #transaction: "none" | "requested" | "open" | "ending" | "committed" = "none";

  constructor(commit: PreparedStatement) {
    this.#commit = commit;
  }

  /**
   * Returns what to send, or undefined if nothing is sent now: the statement waits for the next one, or ends a transaction
   * of which nothing was sent, or which was committed with its last statement.
   */
  next(statement: PreparedStatement): RoundTrip | undefined {
    const { text } = statement;
    if (isEnd(text) && !["open", "ending"].includes(this.#transaction)) {
      this.reset();
      return undefined;
    }
    // If the commit fails, a rollback follows.
    const isOver = this.#transaction === "ending" || this.#transaction === "committed";
    invariant(!isOver || text === "rollback", "nothing follows a transaction's last statement");
    if (text === "rollback") this.#waiting = [];
    this.#waiting.push(statement);
    return this.#isSentLater(text) ? undefined : this.#sendWaiting(text);
  }

  #sendWaiting(text: string): RoundTrip {
    const sent = this.#waiting;
    const isLast = text.startsWith(THEN_COMMIT);
    const commits = isLast || text === "commit";
    // A commit can wait for a lock, because deferred triggers run then.
    const mayWait = this.#transaction !== "none" && !(text === "rollback" && sent.length === 1);
    this.#waiting = [];
    if (this.#transaction === "requested") this.#transaction = "open";
    if (commits) this.#transaction = "ending";
    if (text === "rollback") this.#transaction = "none";
    return {
      statements: isLast ? [...sent, this.#commit] : sent,
      resultIndex: sent.length - 1,
      commits,
      mayWait,
    };
  }

  /** Returns true for a statement that is sent with the next one. */
  #isSentLater(text: string): boolean {
    if (text === "begin" || text.startsWith("start transaction")) {
      this.#transaction = "requested";
      return true;
    }
    const isWithNext = text.startsWith(WITH_NEXT);
    const isMarked = isWithNext || text.startsWith(THEN_COMMIT);
    invariant(this.#transaction !== "none" || !isMarked, "the statement is in a transaction");
    if (isWithNext) this.#transaction = "open";
    return isWithNext || (this.#transaction === "requested" && text.startsWith(SET_TENANT));
  }

  /** Records that the statements of `next` have succeeded. */
  succeeded({ statements, resultIndex }: RoundTrip): void {
    if (this.#transaction !== "ending") return;
    const isLast = resultIndex < statements.length - 1;
    this.#transaction = isLast ? "committed" : "none";
  }

  reset(): void {
    this.#waiting = [];
    this.#transaction = "none";
  }
}

function isEnd(text: string): boolean {
  return text === "commit" || text === "rollback";
}
