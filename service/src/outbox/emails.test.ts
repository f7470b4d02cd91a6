import { expect, it } from "vitest";
import { renderEmail } from "./emails.ts";

it("an approval's mail isolates what agents choose, and drops stored direction controls", () => {
  const { subject, text, html } = renderEmail("approval_requested", {
    publicUrl: "http://purser.test",
    to: "ada@example.com",
    token: "t",
    facts: { title: "Pay \u202e99.4", payee: "<shop>", agent: "buyer", reason: "", mode: "live" },
  });

  expect(subject).toBe("Approval requested: Pay 99.4");
  expect(text).toContain("Request: Pay 99.4\n");
  expect(text).toContain("Payee: <shop>\n");
  expect(html).toContain("<p>Request: <bdi>Pay 99.4</bdi></p>");
  expect(html).toContain("<p>Payee: <bdi>&lt;shop&gt;</bdi></p>");
  expect(html).not.toContain("Reason given");
  expect(`${subject}${text}${html}`).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});
