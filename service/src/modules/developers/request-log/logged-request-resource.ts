import { Type } from "typebox";
import { Count, ModeName, NamedObject, Nullable, Text, Timestamp } from "../../../foundation/wire/fields.ts";

export const LoggedRequestResource = NamedObject("LoggedRequest", {
  object: Type.Literal("logged_request"),
  request_id: Text("The request's id, also in its `X-Request-Id` response header."),
  key_id: Text("The API key that the request was signed with."),
  mode: ModeName,
  agent_id: Nullable(
    Type.String({ format: "uuid" }),
    "The UUID in `X-Agent-ID`. Null if the request had none, or no valid one.",
  ),
  method: Text("HTTP method."),
  path: Type.String({
    description: "The endpoint's path, with the names of its parameters instead of their values.",
    examples: ["/api/v1/svc/projects/{project_id}/env"],
  }),
  status: Count("HTTP status of the response."),
  error_code: Nullable(
    Type.String(),
    "The `code` of the response's problem, which says why the request was refused. Null if it was not.",
  ),
  duration_ms: Count("Time from the check of the signature until the response was sent, in milliseconds."),
  created_at: { ...Timestamp, description: "When the response was sent." },
});
