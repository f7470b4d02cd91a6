import { seedDeveloper, seedSession } from "../../../service/test/seeds.ts";
import { anonymous } from "../conformance/callers.ts";
import { text } from "../conformance/world.ts";
import type { Replicas } from "./replicas.ts";

/** A session ends after 30 days and not before, so one may go on for as long as it likes. */
const REFRESH = "/developers/token/refresh";

export interface RefreshCampaign {
  readonly replicas: Pick<Replicas, "urls" | "seeds">;
  readonly rounds: number;
  readonly atOnce: number;
  readonly onProgress: (message: string) => void;
}

export interface RefreshFigures {
  readonly rounds: number;
  readonly requests: number;
  /** Rounds in which exactly one request got a new pair of tokens, and all others a refusal. */
  readonly roundsWithOneWinner: number;
}

/**
 * Shows one refresh token many times at once, at both replicas; the winner's next token is that of the next round, so that a
 * family that dies is seen. Throws where nobody wins.
 */
export async function runRefreshCampaign({
  replicas: { urls, seeds },
  rounds,
  atOnce,
  onProgress,
}: RefreshCampaign): Promise<RefreshFigures> {
  const replicas = urls.map((url) => anonymous(url));
  let { refreshToken } = await seedSession(seeds, await seedDeveloper(seeds));
  let roundsWithOneWinner = 0;
  for (let round = 0; round < rounds; round += 1) {
    const body = { refresh_token: refreshToken };
    const answers = await Promise.all(
      Array.from({ length: atOnce / urls.length }, () =>
        replicas.map((call) => call({ method: "POST", path: REFRESH, body })),
      ).flat(),
    );
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    if (winner === undefined) throw new Error(`Round ${round}: ${answers[0]?.text}`);
    const refused = answers.filter(({ status }) => status === 401).length;
    if (others.length === 0 && refused === atOnce - 1) roundsWithOneWinner += 1;
    refreshToken = text(winner, "refresh_token");
    if (round % 100 === 99) onProgress(`refresh: ${round + 1} of ${rounds} rounds`);
  }
  return { rounds, requests: rounds * atOnce, roundsWithOneWinner };
}
