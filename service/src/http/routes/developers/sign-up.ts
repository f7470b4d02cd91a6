import { Type } from "typebox";
import { normalizeEmail } from "../../../foundation/text.ts";
import { ModeName, StrictObject, Text } from "../../../foundation/wire/fields.ts";
import { CaptchaResource, presentCaptcha } from "../../../modules/developers/captcha.ts";
import { LoginOptionsResource, presentLoginOptions } from "../../../modules/developers/login-options.ts";
import {
  presentRegisteredDeveloper,
  type RegisteredDeveloper,
  RegisteredDeveloperResource,
  registerDeveloper,
} from "../../../modules/developers/register-developer.ts";
import { presentSignup, SignupResource, signUp } from "../../../modules/developers/sign-up.ts";
import { siteNetworkOf } from "../../auth/client-network.ts";
import { actorOf, principalOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint, type Route } from "../../route.ts";
import { clientInfoOf } from "./client-info.ts";
import { CountryIn, countryProblem, EmailIn, PasswordIn, passwordProblem, throwIfInvalid, WordsIn } from "./fields.ts";
import { signatureFields, verifiedPublicKey } from "./keys/new-key-fields.ts";

const getCaptchaRoute = endpoint("GET /api/v1/svc/developers/captcha", {
  operationId: "getCaptcha",
  sdk: "developers.captcha",
  summary: "Get a captcha challenge",
  description:
    "Returns an ALTCHA version 2 challenge, which can be used once within ten minutes. To use it, solve it and send the Base64 encoding of a JSON object with the fields `challenge` and `solution` as `captcha_token`. If the server uses Turnstile, returns the configuration for its widget instead: `kind`, `site_key` and `action`. In this case, send the token that the widget returns as `captcha_token`.",
  auth: "public",
  answers: { 200: CaptchaResource },
  run: async (app) => {
    const { captcha, clock } = app;
    const challenge = await captcha.challenge(clock.now());
    return presentCaptcha(challenge, captcha.widget);
  },
});

const getLoginOptionsRoute = endpoint("GET /api/v1/svc/developers/login-options", {
  operationId: "getLoginOptions",
  sdk: "developers.loginOptions",
  summary: "Get the ways to log in",
  description: "Returns the configured identity providers and the captcha, for a page to log in or sign up.",
  auth: "public",
  answers: { 200: LoginOptionsResource },
  run: async (app) => presentLoginOptions(app),
});

const SignupRequest = StrictObject("SignupRequest", {
  email: EmailIn,
  password: PasswordIn,
  captcha_token: Text(
    "The solution to a challenge from `GET /developers/captcha`, or the token that the captcha widget returned.",
    { minLength: 1, maxLength: 8_192 },
  ),
  name: Type.Optional({ ...WordsIn(100), description: "The developer's name, on one line." }),
  company_name: Type.Optional({
    ...WordsIn(200),
    description: "The company's name, on one line.",
  }),
  country: Type.Optional(CountryIn),
  accept_terms_version: Type.Optional({
    ...WordsIn(50),
    description:
      "The version of Purser's terms of service that the developer accepts. It is recorded in the audit trail.",
  }),
});

const signUpRoute = endpoint("POST /api/v1/svc/developers/signup", {
  operationId: "signUp",
  sdk: "developers.signUp",
  summary: "Sign up",
  description:
    "Creates an account and sends an email with a URL that verifies the email address. If a verified account already has this address, the response is the same, and the email states that the account exists. Fails with `validation_error` for a common password, and with `rate_limited` after 20 signups per hour from one network.",
  auth: "public",
  body: SignupRequest,
  answers: { 201: SignupResource },
  errors: ["validation_error", "rate_limited"],
  run: async (app, request, reply) => {
    const { body } = request;
    throwIfInvalid(passwordProblem(body.password), countryProblem(body.country));
    const email = normalizeEmail(body.email);
    const { verificationExpiresAt } = await signUp(app, {
      email,
      password: body.password,
      captchaToken: body.captcha_token,
      name: body.name ?? null,
      companyName: body.company_name ?? null,
      country: body.country ?? null,
      acceptedTermsVersion: body.accept_terms_version ?? null,
      client: clientInfoOf(request),
      siteNetwork: siteNetworkOf(request.ip),
    });
    return reply.code(201).send(presentSignup({ email, verificationExpiresAt }));
  },
});

const DeveloperRegisterRequest = StrictObject("DeveloperRegisterRequest", {
  company_name: Type.Optional({
    ...WordsIn(200),
    description: "The company's name, on one line. Default: the `company_name` in the developer's profile.",
  }),
  key_name: Type.Optional({
    ...WordsIn(100),
    description: "The name of the account's first API key, on one line. Default: the text `default`.",
  }),
  mode: Type.Optional({
    ...ModeName,
    description: "The mode of the account's first API key. Default: `live`.",
  }),
  ...signatureFields,
});

const registerDeveloperRoute = endpoint("POST /api/v1/svc/developers/register", {
  operationId: "registerDeveloper",
  sdk: "developers.register",
  summary: "Register for the API",
  description:
    "Registers the logged-in developer for the API and creates the account's first key pair. The key and its secret are returned only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`. Fails with `email_not_verified` if the email address is not verified, and with `already_exists` if the developer is already registered.",
  auth: "dashboard",
  body: DeveloperRegisterRequest,
  answers: { 201: RegisteredDeveloperResource },
  errors: ["secret_already_issued", "already_exists", "email_not_verified"],
  run: async (app, request, reply) => {
    const principal = principalOf(request);
    const { company_name, key_name = "default", mode = "live" } = request.body;
    const publicKey = verifiedPublicKey(request.body, principal.tenantId);
    const command = {
      actor: actorOf(request),
      companyName: company_name,
      keyName: key_name,
      mode,
      publicKey,
    };
    return replyOnce(
      app,
      request,
      reply,
      {
        status: 201,
        secret: true,
        present: (registered: RegisteredDeveloper) => presentRegisteredDeveloper(app, registered),
      },
      (saveResponse) => registerDeveloper(app, command, saveResponse),
    );
  },
});

export const signUpRoutes: readonly Route[] = [
  registerDeveloperRoute,
  signUpRoute,
  getCaptchaRoute,
  getLoginOptionsRoute,
];
