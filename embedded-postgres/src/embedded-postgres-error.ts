/** Identifies the error for programs. The error's message states what to do next. */
export type EmbeddedPostgresErrorCode =
  /** No binaries exist for this system, for example Windows or Alpine. */
  | "unsupported_platform"
  /** The package with the binaries is not installed. */
  | "binaries_missing"
  /** This process is root, and no unprivileged user for the server was found. */
  | "server_user_unavailable"
  /** The data folder's path is relative, or the folder belongs to another user or is not accessible to the server. */
  | "data_dir_unusable"
  /** Another process runs the database of this data folder. */
  | "data_dir_in_use"
  /**
   * The shared folder (`/var/lib/purser`, on macOS `/var/db/purser`) cannot be created, or another user can write to
   * it.
   */
  | "shared_folder_unusable"
  /** The data folder refers to a database that no longer exists. */
  | "cluster_missing"
  /** The password file is missing or contains a wrong password. */
  | "password_unusable"
  /** `initdb` failed. The message contains its output. */
  | "initdb_failed"
  | "port_in_use"
  /** The server exited or did not become ready. The message contains the end of the server's log. */
  | "start_failed";

/** The error that `startEmbeddedPostgres` throws. Any other error is a bug. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
