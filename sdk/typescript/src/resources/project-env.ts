import { ApiPromise, type ApiResponse } from "../api-promise.ts";
import type { EnvComparison, EnvComparisonRequest } from "../api-types.ts";
import { type EnvBundle, type EnvBundleNames, verifyEnvBundle, verifyEnvSignature } from "../env-bundle.ts";
import { PurserError, SignatureVerificationError } from "../errors.ts";
import { refuseUnknownNames } from "../known-names.ts";
import { path } from "../path.ts";
import { Resource } from "../resource.ts";
import type { RequestOptions } from "../transport.ts";

export interface PullEnvRequest {
  /** Default: `development`, or the project's first environment if it has no `development`. */
  readonly environment?: string;
  /** Default: `json`. `dotenv` returns the text of a `.env` file, `docker` that of a file for `docker --env-file`. */
  readonly format?: "json" | "dotenv" | "docker";
  /** Returns the variables without their values. */
  readonly names_only?: boolean;
  /** Returns only the variables with these names. */
  readonly keys?: readonly string[];
  /** The `ETag` of an earlier pull. If the bundle has not changed since, `pull` returns undefined. */
  readonly ifNoneMatch?: string;
}

const REQUEST_NAMES = Object.keys({
  environment: true,
  format: true,
  names_only: true,
  keys: true,
  ifNoneMatch: true,
} satisfies Record<keyof PullEnvRequest, true>);

type PullSelection = Pick<PullEnvRequest, "environment" | "keys"> & {
  readonly ifNoneMatch?: never;
};

export class ProjectEnv extends Resource {
  /**
   * Returns an environment's variables and verifies that the response is signed with this client's API key. For JSON,
   * also verifies the fingerprint of the values, and that the bundle is for this project and environment.
   *
   * @throws SignatureVerificationError if a check fails or the signature is missing.
   */
  pull(
    projectId: string,
    request?: PullSelection & { readonly format?: "json"; readonly names_only?: false },
    options?: RequestOptions,
  ): ApiPromise<EnvBundle>;
  pull(
    projectId: string,
    request: PullSelection & { readonly format?: "json"; readonly names_only: true },
    options?: RequestOptions,
  ): ApiPromise<EnvBundleNames>;
  pull(
    projectId: string,
    request: PullSelection & { readonly format: "dotenv" | "docker"; readonly names_only?: boolean },
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

  /**
   * Returns for each name whether the value that you send is the one of the environment. Never returns a value. Requires a session
   * of the dashboard, from a login within the last 15 minutes, or the field `password` or `totp_code`.
   */
  compare(projectId: string, body: EnvComparisonRequest, options?: RequestOptions): ApiPromise<EnvComparison> {
    const call = { method: "POST", path: path`/projects/${projectId}/env/compare`, access: "dashboard", body } as const;
    return this.request(call, options);
  }

  async #pull(
    projectId: string,
    request: PullEnvRequest,
    options: RequestOptions | undefined,
  ): Promise<ApiResponse<EnvBundle | EnvBundleNames | string | undefined>> {
    // A request that is not understood could return values that the caller did not ask for.
    refuseUnknownNames(request, REQUEST_NAMES, "field");
    const { environment, format = "json", names_only, keys, ifNoneMatch } = request;
    const response = await this.transport().send(
      {
        method: "GET",
        path: path`/projects/${projectId}/env`,
        access: "signed",
        query: { environment, format, names_only, keys: keys?.join(",") },
        accept: format === "json" ? "application/json" : "text/plain, application/problem+json",
        ifNoneMatch,
      },
      options,
    );
    // A 304 has no body to verify.
    if (response.status === 304) return { ...response, data: undefined };
    return { ...response, data: await this.#verify(response, projectId, request) };
  }

  async #verify(
    { data, headers }: ApiResponse<Uint8Array>,
    projectId: string,
    { format, environment }: PullEnvRequest,
  ): Promise<EnvBundle | EnvBundleNames | string> {
    const { apiKey } = this.transport();
    if (apiKey === undefined) throw new PurserError("Verifying an env bundle requires an API key.");
    const signature = headers.get("x-svc-signature");
    if (format === "dotenv" || format === "docker") {
      await verifyEnvSignature(data, signature, apiKey);
      return new TextDecoder().decode(data);
    }
    const bundle = await verifyEnvBundle(data, signature, apiKey);
    // The signature does not prove that the bundle is the requested one: an attacker could have replaced the response
    // with a correctly signed bundle of another project or environment.
    if (bundle.project_id !== projectId || (environment ?? bundle.environment) !== bundle.environment) {
      throw new SignatureVerificationError("The env bundle is for another project or environment.");
    }
    return bundle;
  }
}
