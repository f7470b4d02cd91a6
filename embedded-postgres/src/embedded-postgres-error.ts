/** What went wrong, for code that branches on it. The message says what to do next, for people. */
export type EmbeddedPostgresErrorCode =
  /** No binaries exist for this system (Windows, Alpine, a rare processor). */
  | "unsupported_platform"
  /** The package with the binaries is not installed. */
  | "binaries_missing"
  /** Root cannot hand the server over to the user `nobody`. */
  | "server_user_unavailable"
  /** The data folder is relative, belongs to somebody else, or cannot be reached by the server. */
  | "data_dir_unusable"
  /** Another living process runs the database of this data folder. */
  | "data_dir_in_use"
  /** The folder outside the data folder (`/var/lib/purser`) cannot be made, or cannot be trusted. */
  | "shared_folder_unusable"
  /** The data folder points to a database that is gone. */
  | "cluster_missing"
  /** The password file is gone, or holds another password than the server's. */
  | "password_unusable"
  /** `initdb` failed; its own words are in the message. */
  | "initdb_failed"
  /** The wanted port is taken by another program. */
  | "port_in_use"
  /** The server ended or did not become ready; the end of its log is in the message. */
  | "start_failed";

/** The only error that `startEmbeddedPostgres` throws on purpose. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
