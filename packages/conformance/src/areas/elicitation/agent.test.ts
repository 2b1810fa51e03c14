import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { expect, test } from "vitest";
import { agentWatches } from "../../agent/agent-checks.js";
import { DialogueLog } from "../../dialogue.js";
import type { Finding } from "../../verdict.js";
import { carriesCredentials, requestsSecret } from "./agent.js";

const watches = agentWatches.filter(({ id }) => id.startsWith("watch/elicitation-"));

const page = {
  sessionId: "s",
  mode: "url",
  elicitationId: "page",
  url: "https://example.com",
  message: "Open it.",
};

/** Returns the findings about an elicitationId that is used again after each of these messages. */
function findingsAfter(
  ...messages: readonly { readonly from: "agent" | "client"; readonly message: object }[]
): Finding[] {
  const log = new DialogueLog("connection 1");
  for (const id of [1, 2]) {
    log.message("agent", { jsonrpc: "2.0", id, method: "elicitation/create", params: page });
    for (const { from, message } of messages) log.message(from, { jsonrpc: "2.0", ...message, ...idOf(message, id) });
  }
  return watches.flatMap((watch) => watch.watch(log).findings);
}

/** A response has the id of its request; a notification has none. */
const idOf = (message: object, id: number): object => ("method" in message ? {} : { id });

/** Returns the rules that are broken when an elicitationId is used again after a response. */
function brokenAfter(message: object): string[] {
  return findingsAfter({ from: "client", message }).map(({ requirement }) => requirement);
}

test.each([
  { result: { action: "decline" } },
  { result: { action: "cancel" } },
  { result: { action: "_later" } },
  { error: { code: -32602, message: "The mode is unknown" } },
])("an elicitationId may be used again after the response %j, because no page is open", (response) => {
  expect(brokenAfter(response)).toEqual([]);
});

test.each([{ result: { action: "accept" } }, { method: "_not-a-response", params: {} }])(
  "an elicitationId is not used again after %j, while its page is open",
  (message) => {
    expect(brokenAfter(message)).toEqual(["ELICIT-30"]);
  },
);

const accepted = { from: "client", message: { result: { action: "accept" } } } as const;

test("an elicitationId that is used again after an accepted page without elicitation/complete is advice, because the page may have ended", () => {
  expect(findingsAfter(accepted)).toMatchObject([{ requirement: "ELICIT-30", advice: true }]);
});

test("an elicitationId that is used again before the response to its elicitation is no mere advice", () => {
  const log = new DialogueLog("connection 1");
  for (const id of [1, 2]) log.message("agent", { jsonrpc: "2.0", id, method: "elicitation/create", params: page });
  for (const id of [1, 2]) log.message("client", { jsonrpc: "2.0", id, ...accepted.message });
  const [finding] = watches.flatMap((watch) => watch.watch(log).findings);
  expect(finding).toMatchObject({ requirement: "ELICIT-30" });
  expect(finding).not.toHaveProperty("advice");
});

test("an elicitationId may be used again after elicitation/complete", () => {
  const complete = { method: "elicitation/complete", params: { elicitationId: "page" } };
  expect(findingsAfter(accepted, { from: "agent", message: complete })).toEqual([]);
});

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

test.each([":", "@", ":@", "a:"])("hostile.linear-text: reads a URL that repeats %j in linear time", async (unit) => {
  const read = (size: number) => carriesCredentials(`https://${unit.repeat(size)}`);
  expect(read(100_000)).toBe(unit === ":@");
  expect(await growthOf(read)).toBeLessThan(LINEAR);
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
