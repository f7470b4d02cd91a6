import { describe, expect, it } from "vitest";
import { redact, redactedMessage } from "./redact.ts";

describe("redact", () => {
  it.each([
    ["Bearer eyJhbGc.eyJzdWI.c2ln is", "Bearer [redacted token] is"],
    ['{"a":"\\neyJhbGc.eyJzdWI.c2ln"}', '{"a":"\\[redacted token]"}'],
    ["svc_sk_live_abc-_1 svc_ss_test_xyz", "svc_sk_live_[redacted] svc_ss_test_[redacted]"],
    ["at postgres://purser:pa55@db/purser", "at postgres://purser:[redacted]@db/purser"],
    ["at redis://:pa55@cache:6379/0", "at redis://:[redacted]@cache:6379/0"],
    ["at postgres://purser:pa/5:5?#@db/purser", "at postgres://purser:[redacted]@db/purser"],
    ["at postgres://purser:pa@55@db/purser", "at postgres://purser:[redacted]@db/purser"],
    ["from a@b, at http://a:80/c", "from a@b, at http://a:80/c"],
    ['{"password":"pa55","name":"n"}', '{"password":"[redacted]","name":"n"}'],
    ['{"private_key":"a\\nb\'c"}', '{"private_key":"[redacted]"}'],
    ['{"db_pass" : "pa\\"55"}', '{"db_pass" : "[redacted]"}'],
    ["{ clientSecret: 'pa55', apiKey: 'pa55' }", "{ clientSecret: '[redacted]', apiKey: '[redacted]' }"],
    ['"{\\"refresh_token\\":\\"pa55\\"}"', '"{\\"refresh_token\\":\\"[redacted]\\"}"'],
    ['"{\\"token\\":\\"a\\\\\\"55\\"}"', '"{\\"token\\":\\"[redacted]\\"}"'],
    ['{"Password":"a","a":1,"TOKEN":"b"}', '{"Password":"[redacted]","a":1,"TOKEN":"[redacted]"}'],
    ['"token":"a\\\nb"', '"token":"[redacted]"'],
    ['"{\\"Token\\":\\"a\\",\\"SECRET\\":\\"b\\"}"', '"{\\"Token\\":\\"[redacted]\\",\\"SECRET\\":\\"[redacted]\\"}"'],
    ["PGPASSWORD=pa55 token=pa55&a=b", "PGPASSWORD=[redacted] token=[redacted]&a=b"],
    ["the token: expired, password wrong", "the token: expired, password wrong"],
    ["npg_aB-1 napi_aB-1 sbp_aB-1 sbp_oauth_aB", "[redacted] [redacted] [redacted] [redacted]"],
    ["sb_secret_aB-1 and sb_publishable_aB", "[redacted] and sb_publishable_aB"],
    ["sk_live_aB rk_test_aB whsec_aB, pk_live_aB", "[redacted] [redacted] [redacted], pk_live_aB"],
    ["a key\\nsk_test_aB", "a key\\n[redacted]"],
    ["seti_1aB_secret_aB of seti_1aB", "[redacted] of seti_1aB"],
    ["pi_3aB_secret_aB cs_test_aB_secret_aB", "[redacted] [redacted]"],
    ["nothing.to.hide at http://a/b", "nothing.to.hide at http://a/b"],
  ])("%j becomes %j", (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it.each([
    "a",
    "eyJ",
    "-eyJ",
    "eyJa.",
    "a://b",
    "a://b:",
    "a://:b@",
    "a:b",
    "svc_sk_live_",
    "npg_",
    "pi_",
    "pi_a_secret_",
    "password",
    "password=",
    'password":"',
    '"password":"',
    '"password":"\\',
    "'token' : ",
  ])("takes linear time on 400,000 characters of %j", (piece) => {
    const text = piece.repeat(400_000 / piece.length);
    // A pattern with excessive backtracking would exceed the test's timeout.
    expect(redact(text)).toBeDefined();
  });
});

describe("redactedMessage", () => {
  it("redacts credentials in the message of an error", () => {
    expect(redactedMessage(new Error("at postgres://purser:pa55@db"))).toBe("at postgres://purser:[redacted]@db");
  });

  it.each([
    ["token=pa55", "token=[redacted]"],
    [undefined, "undefined"],
    [7, "7"],
  ])("redacts credentials of a thrown %j", (thrown, shown) => {
    expect(redactedMessage(thrown)).toBe(shown);
  });

  it("redact returns undefined for undefined", () => {
    expect(redact(undefined)).toBeUndefined();
  });
});
