import { type ApiAnswer, ApiPromise } from "../api-promise.ts";
import {
  type EnvBundle,
  type EnvBundleNames,
  verifyEnvBundle,
  verifyEnvSignature,
} from "../env-bundle.ts";
import { PurserError, SignatureVerificationError } from "../errors.ts";
import { path } from "../path.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export interface PullEnvRequest {
  /** Default `development`, or the project's first. */
  readonly environment?: string;
  /** Default `json`. `dotenv` gives the text of a file. */
  readonly format?: "json" | "dotenv";
  /** Leaves the values out. */
  readonly namesOnly?: boolean;
  /** Only these variables. */
  readonly keys?: readonly string[];
  /** The `ETag` of an earlier pull. What has not changed since is answered with undefined. */
  readonly ifNoneMatch?: string;
}

type Selection = Pick<PullEnvRequest, "environment" | "keys"> & { readonly ifNoneMatch?: never };

export class ProjectEnv {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The values of an environment, checked: signed under this client's API key, with the fingerprint that
   * they say, and of the project and environment that were asked for.
   *
   * @throws SignatureVerificationError where any of this does not hold, or there is no signature.
   */
  pull(
    projectId: string,
    request?: Selection & { readonly format?: "json"; readonly namesOnly?: false },
    options?: RequestOptions,
  ): ApiPromise<EnvBundle>;
  pull(
    projectId: string,
    request: Selection & { readonly format?: "json"; readonly namesOnly: true },
    options?: RequestOptions,
  ): ApiPromise<EnvBundleNames>;
  pull(
    projectId: string,
    request: Selection & { readonly format: "dotenv"; readonly namesOnly?: boolean },
    options?: RequestOptions,
  ): ApiPromise<string>;
  pull(
    projectId: string,
    request: PullEnvRequest,
    options?: RequestOptions,
  ): ApiPromise<EnvBundle | EnvBundleNames | string | undefined>;
  pull(
    projectId: string,
    request: PullEnvRequest = {},
    options?: RequestOptions,
  ): ApiPromise<EnvBundle | EnvBundleNames | string | undefined> {
    return new ApiPromise(this.#pull(projectId, request, options));
  }

  async #pull(
    projectId: string,
    request: PullEnvRequest,
    options: RequestOptions | undefined,
  ): Promise<ApiAnswer<EnvBundle | EnvBundleNames | string | undefined>> {
    const { environment, format = "json", namesOnly, keys, ifNoneMatch } = request;
    const answer = await this.#transport.send(
      {
        method: "GET",
        path: path`/projects/${projectId}/env`,
        access: "signed",
        query: { environment, format, names_only: namesOnly, keys: keys?.join(",") },
        accept: format === "json" ? "application/json" : "text/plain, application/problem+json",
        ifNoneMatch,
      },
      options,
    );
    // A 304 says nothing that could be signed: there is nothing in it to use.
    if (answer.status === 304) return { ...answer, data: undefined };
    return { ...answer, data: this.#verified(answer, projectId, request) };
  }

  #verified(
    { data, headers }: ApiAnswer<Uint8Array>,
    projectId: string,
    { format, environment }: PullEnvRequest,
  ): EnvBundle | EnvBundleNames | string {
    const { apiKey } = this.#transport;
    if (apiKey === undefined) throw new PurserError("An env bundle is signed under an API key.");
    const signature = headers.get("x-svc-signature");
    if (format === "dotenv") {
      verifyEnvSignature(data, signature, apiKey);
      return new TextDecoder().decode(data);
    }
    const bundle = verifyEnvBundle(data, signature, apiKey);
    // A rightly signed bundle of another pull could have been put in the place of this one's.
    if (
      bundle.project_id !== projectId ||
      (environment ?? bundle.environment) !== bundle.environment
    ) {
      throw new SignatureVerificationError("The env bundle is not the one that was asked for.");
    }
    return bundle;
  }
}
