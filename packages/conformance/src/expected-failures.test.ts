import { expect, test } from "vitest";
import { remoteScenarios } from "./areas/remote-transport/server.js";
import { version2Scenarios } from "./areas/version-2/agent.js";
import { unknownExpectedFailure } from "./expected-failures.js";
import { testClient } from "./node/client/test-client.js";
import { testAgent } from "./node/test-agent.js";

test("ids of scenarios, watches and rules can be expected failures, with and without the tests of servers and of version 2", () => {
  const ids = ["MCP-02", "session/mcp-server", "watch/elicitation-urls"];
  const more = [...remoteScenarios, ...version2Scenarios].flatMap(({ id, verifies }) => [id, ...verifies]);
  expect(unknownExpectedFailure("agent", [...ids, ...more])).toBeUndefined();
  expect(unknownExpectedFailure("client", ["CAP-07", "gates/additional-directories"])).toBeUndefined();
});

test.each([
  ["MCP-2", ["MCP-02"]],
  ["session/mcp-servers", ["session/mcp-server"]],
  ["mcp-02", ["MCP-02"]],
  ["CAP-07", []], // a rule for clients
  ["toString", []],
  ["x".repeat(10_000), []],
])("the expected failure %s of an agent is refused, with similar ids", async (id, similar) => {
  const problem = unknownExpectedFailure("agent", ["MCP-02", id]);
  expect(problem).toMatch(
    /^no check for agents has the id ".{1,100}" or verifies a rule with that id\. Similar ids: .+, .+, .+\.$/,
  );
  for (const each of similar) expect(problem).toContain(each);
});

test("no peer is started for a run with a time limit that is no number", async () => {
  const start = (): never => {
    throw new Error("The peer was started.");
  };
  await expect(testAgent({ agent: start, prompts: {}, turnTimeoutMs: Number.NaN })).rejects.toThrow(
    /options\.turnTimeoutMs must be/,
  );
  await expect(testClient({ client: start, stepTimeoutMs: -1 })).rejects.toThrow(/options\.stepTimeoutMs must be/);
});

test("no peer is started for a run with an unknown expected failure", async () => {
  const start = (): never => {
    throw new Error("The peer was started.");
  };
  const expectedFailures = ["MCP-2"];
  await expect(testAgent({ agent: start, prompts: {}, expectedFailures })).rejects.toThrow(
    new TypeError(`options.expectedFailures: ${unknownExpectedFailure("agent", expectedFailures)}`),
  );
  await expect(testClient({ client: start, expectedFailures })).rejects.toThrow(
    new TypeError(`options.expectedFailures: ${unknownExpectedFailure("client", expectedFailures)}`),
  );
});
