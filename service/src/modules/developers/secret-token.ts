export { newSecretToken, type SecretToken } from "../../crypto/secret-token.ts";
