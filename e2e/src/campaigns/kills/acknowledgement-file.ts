import { type FileHandle, open, readFile } from "node:fs/promises";

/** A file of the final answers to requests, as their senders write them down, one per line. */
export class AcknowledgementFile<Acknowledgement extends object> {
  readonly #file: FileHandle;
  readonly #path: string;
  #count = 0;
  #waiting: {
    readonly line: string;
    readonly resolve: () => void;
    reject(error: unknown): void;
  }[] = [];
  #isWriting = false;

  private constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  static async create<Acknowledgement extends object>(path: string): Promise<AcknowledgementFile<Acknowledgement>> {
    return new AcknowledgementFile(await open(path, "wx"), path);
  }

  /** The number of acknowledgements on the disk. */
  get count(): number {
    return this.#count;
  }

  /** Returns when the acknowledgement is on the disk. One fsync covers all lines that wait for it. */
  async append(acknowledgement: Acknowledgement): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ line: `${JSON.stringify(acknowledgement)}\n`, resolve, reject });
    if (!this.#isWriting) void this.#write();
    return promise;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#file.appendFile(batch.map(({ line }) => line).join(""));
        await this.#file.sync();
        this.#count += batch.length;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isWriting = false;
  }

  async read(): Promise<Acknowledgement[]> {
    const text = await readFile(this.#path, "utf8");
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
