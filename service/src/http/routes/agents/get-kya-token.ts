import { Type } from "typebox";
import { issueKyaToken, KyaTokenResource } from "../../../modules/agents/kya/issue-kya-token.ts";
import { actorOf } from "../../auth/principal.ts";
import { agentKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

export const getKyaTokenRoute = endpoint("GET /api/v1/svc/agents/:agent_id/kya-token", {
  operationId: "getKyaToken",
  sdk: "agents.kyaToken",
  summary: "Get a token about an agent",
  description:
    "Returns a signed token with which the agent shows a third party how well it is known (KYA). The token is valid for ten minutes. The third party verifies it with the keys at `jwks_url` and compares `aud` with its own URL. Each token is an entry of the audit trail. Fails with `agent_suspended` if the agent or one of its ancestors is not active.",
  auth: "tenant",
  scope: "agents:read",
  agentBound: "allowed",
  projectBound: "allowed",
  query: Type.Object(
    {
      audience: Type.String({
        pattern: "^[!-~]{1,200}$",
        example: "https://shop.example",
        description:
          "Whom the token is for, usually a URL such as `https://shop.example`: 1 to 200 ASCII characters without spaces.",
      }),
    },
    { additionalProperties: false },
  ),
  answers: { 200: KyaTokenResource },
  errors: ["agent_suspended"],
  run: async (app, request) => {
    const key = agentKeyOf(request, request.params.agent_id);
    const actor = actorOf(request);
    return issueKyaToken(app, { key, actor, audience: request.query.audience });
  },
});
