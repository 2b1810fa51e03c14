import { expect, test } from "vitest";
import { carriesCredentials, requestsSecret } from "./elicitation.js";

test.each([
  ["https://user:password@example.com/", true],
  ["https://a:b:c@example.com", true],
  ["https://a@b:c@example.com", true],
  ["https://:@example.com", true],
  ["https://user@example.com:8080/", false],
  ["https://example.com:8080/a:b@c", false],
  ["https://example.com?a:b@c", false],
  ["https://example.com#a:b@c", false],
  ["mailto:a:b@example.com", false],
])("%s carries credentials: %s", (url, carries) => {
  expect(carriesCredentials(url)).toBe(carries);
});

test.each([":", "@", ":@", "a:"])("hostile.linear-text: reads a URL that repeats %j in linear time", (unit) => {
  const longest = unit.repeat(2_000_000 / unit.length);
  expect(carriesCredentials(`https://${longest}`)).toBe(unit === ":@");
});

test.each([
  ["password", {}],
  ["field", { title: "Your API key" }],
  ["field", { format: "password" }],
  ["clientSecret", {}],
  ["pinCode", {}],
  ["field", { title: "Access token" }],
])("a form with the text field %s %j requests a secret", (name, property) => {
  expect(requestsSecret(name, { type: "string", ...property })).toBe(true);
});

test.each([
  ["pin", { title: "Pin version" }],
  ["secretName", { title: "Kubernetes secret name" }],
  ["apiKeyId", {}],
  ["passwordManager", { enum: ["none", "system"] }],
  ["secret", { title: "Which secret?", oneOf: [{ const: "a", title: "a" }] }],
  ["secret", { type: "boolean" }],
  ["maxTokens", {}],
])("a form with the field %s %j requests no secret", (name, property) => {
  expect(requestsSecret(name, { type: "string", ...property })).toBe(false);
});
