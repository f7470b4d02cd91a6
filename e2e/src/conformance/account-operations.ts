import { bearing } from "./callers.ts";
import type { Operation } from "./operation.ts";
import { guarded, open, wrong } from "./rows.ts";
import { text, type World } from "./world.ts";

const D = "/developers";
const get = (path: string) => ({ method: "GET", path }) as const;
const post = (path: string, body?: object) =>
  ({ method: "POST", path, ...(body && { body }) }) as const;

const refresh = ({ recall }: World) =>
  post(`${D}/token/refresh`, { refresh_token: recall("refresh token") });

/** Signup, login, profile, sessions and the first key pair. */
export const accountOperations: readonly Operation[] = [
  open("GET /time", 200, get("/time")),
  open("GET /developers/captcha", 200, get(`${D}/captcha`)),
  open(
    "POST /developers/signup",
    201,
    ({ newcomer }) => post(`${D}/signup`, { ...newcomer, captcha_token: "sandbox-pass" }),
    {
      alsoWrong: [
        wrong("an unsolved captcha", 422, ({ newcomer }) =>
          post(`${D}/signup`, { ...newcomer, captcha_token: "sandbox-fail" }),
        ),
      ],
    },
  ),
  open("POST /developers/resend-verification", 200, ({ newcomer }) =>
    post(`${D}/resend-verification`, { email: newcomer.email }),
  ),
  {
    name: "GET /developers/verify-email",
    credential: "public",
    status: 200,
    wrong: [
      wrong("an unknown token", 422, get(`${D}/verify-email?token=${"x".repeat(43)}`)),
      wrong("no token", 422, get(`${D}/verify-email`)),
    ],
    call: async ({ nobody, mail, newcomer, kept }) => {
      const token = await mail(newcomer.email, "Verify");
      const answer = await nobody(get(`${D}/verify-email?token=${token}`));
      const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
      kept.set("verification cookie", cookies.join("; "));
      return answer;
    },
  },
  open(
    "POST /developers/login",
    200,
    ({ newcomer, recall }) => ({
      ...post(`${D}/login`, newcomer),
      // A login in the browser that opened the mailed URL verifies the address.
      headers: { cookie: recall("verification cookie") },
    }),
    {
      keep: (answer, { kept }) => {
        kept.set("newcomer's token", text(answer, "access_token"));
        kept.set("refresh token", text(answer, "refresh_token"));
      },
      alsoWrong: [
        wrong("a wrong password", 401, ({ newcomer }) =>
          post(`${D}/login`, { email: newcomer.email, password: "another password" }),
        ),
        wrong("an unknown address", 401, ({ newcomer }) =>
          post(`${D}/login`, { email: `no.${newcomer.email}`, password: newcomer.password }),
        ),
      ],
    },
  ),
  {
    name: "POST /developers/register",
    credential: "dashboard",
    status: 201,
    wrong: guarded("POST /developers/register", "dashboard", 201, post(`${D}/register`)).wrong,
    call: ({ baseUrl, recall }) =>
      bearing(baseUrl, recall("newcomer's token"))(post(`${D}/register`)),
  },
  guarded("GET /developers/dashboard/me", "dashboard", 200, get(`${D}/dashboard/me`)),
  guarded("PUT /developers/dashboard/me", "dashboard", 200, {
    method: "PUT",
    path: `${D}/dashboard/me`,
    body: { name: "Ada" },
  }),
  guarded("GET /developers/me", "tenant", 200, get(`${D}/me`), {
    keep: (answer, { kept }) => kept.set("demo developer", text(answer, "developer_id")),
  }),
  open("POST /developers/token/refresh", 200, refresh, {
    keep: (answer, { kept }) => kept.set("refresh token", text(answer, "refresh_token")),
    alsoWrong: [
      wrong("no token", 401, post(`${D}/token/refresh`)),
      wrong("an unknown token", 401, post(`${D}/token/refresh`, { refresh_token: "x" })),
    ],
  }),
  guarded("GET /developers/dashboard/sessions", "dashboard", 200, get(`${D}/dashboard/sessions`), {
    // The first session is the one that sends the request.
    keep: (answer, { kept }) => kept.set("another session", text(answer, "data.1.session_id")),
  }),
  guarded("DELETE /developers/dashboard/sessions/{id}", "dashboard", 204, ({ recall }) => ({
    method: "DELETE",
    path: `${D}/dashboard/sessions/${recall("another session")}`,
  })),
];

/** The operations that end the newcomer's sessions. */
export const endingOperations: readonly Operation[] = [
  open(
    "POST /developers/logout",
    204,
    ({ recall }) => post(`${D}/logout`, { refresh_token: recall("refresh token") }),
    {
      alsoWrong: [
        wrong("an unknown token", 204, post(`${D}/logout`, { refresh_token: "x" })),
      ],
    },
  ),
  open("POST /developers/password/forgot", 200, ({ newcomer }) =>
    post(`${D}/password/forgot`, { email: newcomer.email }),
  ),
  {
    name: "POST /developers/password/reset",
    credential: "public",
    status: 200,
    wrong: [
      wrong(
        "an unknown token",
        422,
        post(`${D}/password/reset`, { token: "x".repeat(43), password: "a new password of mine" }),
      ),
    ],
    call: async ({ nobody, mail, newcomer }) =>
      nobody(
        post(`${D}/password/reset`, {
          token: await mail(newcomer.email, "password"),
          password: `${newcomer.password}-new`,
        }),
      ),
  },
];
