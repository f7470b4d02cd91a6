import { bearerCaller } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { authenticatedOperation, publicOperation, wrongCall } from "./make-operations.ts";
import type { Operation } from "./operation.ts";

const D = "/developers";
const get = (path: string) => ({ method: "GET", path }) as const;
const post = (path: string, body?: object) => ({ method: "POST", path, ...(body && { body }) }) as const;

const refresh = ({ recall }: ConformanceContext) =>
  post(`${D}/token/refresh`, { refresh_token: recall("refresh token") });

/** Operations for signup, login, profile, sessions and the first key pair. */
export const accountOperations: readonly Operation[] = [
  publicOperation("GET /time", 200, get("/time")),
  publicOperation("GET /developers/captcha", 200, get(`${D}/captcha`)),
  publicOperation(
    "POST /developers/signup",
    201,
    ({ newcomer }) => post(`${D}/signup`, { ...newcomer, captcha_token: "sandbox-pass" }),
    {
      moreWrongCalls: [
        wrongCall("an unsolved captcha", 422, ({ newcomer }) =>
          post(`${D}/signup`, { ...newcomer, captcha_token: "sandbox-fail" }),
        ),
      ],
    },
  ),
  publicOperation("POST /developers/resend-verification", 200, ({ newcomer }) =>
    post(`${D}/resend-verification`, { email: newcomer.email }),
  ),
  {
    name: "GET /developers/verify-email",
    credential: "public",
    status: 200,
    wrongCalls: [
      wrongCall("an unknown token", 422, get(`${D}/verify-email?token=${"x".repeat(43)}`)),
      wrongCall("no token", 422, get(`${D}/verify-email`)),
    ],
    call: async ({ anonymous, mail, newcomer, saved }) => {
      const token = await mail(newcomer.email, "Verify");
      const response = await anonymous(get(`${D}/verify-email?token=${token}`));
      const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
      saved.set("verification cookie", cookies.join("; "));
      return response;
    },
  },
  {
    name: "POST /developers/verify-email",
    credential: "public",
    status: 200,
    wrongCalls: [
      wrongCall("an unknown token", 422, post(`${D}/verify-email`, { token: "x".repeat(43) })),
      wrongCall("no token", 422, post(`${D}/verify-email`)),
    ],
    call: async ({ anonymous, mail, newcomer }) => {
      const second = { ...newcomer, email: `second.${newcomer.email}` };
      await anonymous(post(`${D}/signup`, { ...second, captcha_token: "sandbox-pass" }));
      const token = await mail(second.email, "Verify");
      return anonymous(post(`${D}/verify-email`, { token }));
    },
  },
  publicOperation(
    "POST /developers/login",
    200,
    ({ newcomer, recall }) => ({
      ...post(`${D}/login`, newcomer),
      // Logging in from the browser that opened the emailed URL verifies the email address.
      headers: { cookie: recall("verification cookie") },
    }),
    {
      save: (response, { saved }) => {
        saved.set("newcomer's token", text(response, "access_token"));
        saved.set("refresh token", text(response, "refresh_token"));
      },
      moreWrongCalls: [
        wrongCall("a wrong password", 401, ({ newcomer }) =>
          post(`${D}/login`, { email: newcomer.email, password: "another password" }),
        ),
        wrongCall("an unknown address", 401, ({ newcomer }) =>
          post(`${D}/login`, { email: `no.${newcomer.email}`, password: newcomer.password }),
        ),
      ],
    },
  ),
  {
    name: "POST /developers/register",
    credential: "dashboard",
    status: 201,
    wrongCalls: authenticatedOperation("POST /developers/register", "dashboard", 201, post(`${D}/register`)).wrongCalls,
    call: ({ baseUrl, recall }) => bearerCaller(baseUrl, recall("newcomer's token"))(post(`${D}/register`)),
  },
  authenticatedOperation("GET /developers/dashboard/me", "dashboard", 200, get(`${D}/dashboard/me`)),
  authenticatedOperation("PUT /developers/dashboard/me", "dashboard", 200, {
    method: "PUT",
    path: `${D}/dashboard/me`,
    body: { name: "Ada" },
  }),
  authenticatedOperation("GET /developers/me", "tenant", 200, get(`${D}/me`), {
    save: (response, { saved }) => saved.set("demo developer", text(response, "developer_id")),
  }),
  publicOperation("POST /developers/token/refresh", 200, refresh, {
    save: (response, { saved }) => saved.set("refresh token", text(response, "refresh_token")),
    moreWrongCalls: [
      wrongCall("no token", 401, post(`${D}/token/refresh`)),
      wrongCall("an unknown token", 401, post(`${D}/token/refresh`, { refresh_token: "x" })),
    ],
  }),
  authenticatedOperation("GET /developers/dashboard/sessions", "dashboard", 200, get(`${D}/dashboard/sessions`), {
    // The first session in the list is the session that sends this request. The second session's ID is saved.
    save: (response, { saved }) => saved.set("another session", text(response, "data.1.session_id")),
  }),
  authenticatedOperation("DELETE /developers/dashboard/sessions/{id}", "dashboard", 204, ({ recall }) => ({
    method: "DELETE",
    path: `${D}/dashboard/sessions/${recall("another session")}`,
  })),
];

/** Operations that end the signed-up developer's sessions. */
export const endingOperations: readonly Operation[] = [
  publicOperation(
    "POST /developers/logout",
    204,
    ({ recall }) => post(`${D}/logout`, { refresh_token: recall("refresh token") }),
    {
      moreWrongCalls: [wrongCall("an unknown token", 204, post(`${D}/logout`, { refresh_token: "x" }))],
    },
  ),
  publicOperation("POST /developers/password/forgot", 200, ({ newcomer }) =>
    post(`${D}/password/forgot`, { email: newcomer.email }),
  ),
  {
    name: "POST /developers/password/reset",
    credential: "public",
    status: 200,
    wrongCalls: [
      wrongCall(
        "an unknown token",
        422,
        post(`${D}/password/reset`, { token: "x".repeat(43), password: "a new password of mine" }),
      ),
    ],
    call: async ({ anonymous, mail, newcomer }) =>
      anonymous(
        post(`${D}/password/reset`, {
          token: await mail(newcomer.email, "password"),
          password: `${newcomer.password}-new`,
        }),
      ),
  },
];
