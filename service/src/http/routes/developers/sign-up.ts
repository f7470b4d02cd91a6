import { Type } from "typebox";
import { normalizeEmail } from "../../../foundation/text/email-address.ts";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import { presentSignup, SignupResource, signUp } from "../../../modules/developers/sign-up.ts";
import { siteNetworkOf } from "../../auth/client-network.ts";
import { endpoint } from "../../route.ts";
import { clientInfoOf } from "./client-info.ts";
import { CountryIn, countryProblem, EmailIn, PasswordIn, passwordProblem, throwIfInvalid, WordsIn } from "./fields.ts";

const SignupRequest = StrictObject("SignupRequest", {
  email: EmailIn,
  password: PasswordIn,
  captcha_token: Type.String({
    minLength: 1,
    maxLength: 8_192,
    description:
      "The solution to a challenge from `GET /developers/captcha`, or the token that the captcha widget returned.",
  }),
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

export const signUpRoute = endpoint("POST /api/v1/svc/developers/signup", {
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
