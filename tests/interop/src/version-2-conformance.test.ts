import { PassThrough } from "node:stream";
import { connectAgent } from "@acp-kit/client";
import type { AgentLinkListener, ConformanceReport, LaunchClient } from "@acp-kit/conformance";
import { testAgent, testClient } from "@acp-kit/conformance/node";
import { program } from "@acp-kit/promises-tests/program";
import { nodeTransport } from "@acp-kit/stdio/node";
import { v2 } from "@acp-kit/v2/client";
import { expect, it } from "vitest";

const brokenIn = ({ requirements }: ConformanceReport): readonly string[] =>
  requirements.filter(({ status }) => status === "failed" || status === "flaky").map(({ id }) => id);

it("V2-REQ-36: an agent on the official SDK 2.4.0 breaks only the listed rules of version 2", {
  timeout: 120_000,
}, async () => {
  const path = await program(new URL("./peers/sdk-2-v2-agent.ts", import.meta.url));
  const report = await testAgent({
    agent: { command: process.execPath, args: [path] },
    prompts: { text: "say hello", long: "wait", permission: "ask" },
    protocol: 2,
    jobs: 2,
  });
  // The SDK leaves all of this to its handlers, and the agent of these tests has the shortest ones.
  expect(brokenIn(report)).toEqual([
    "V2-12", // it does not look up sessions
    "V2-16", // it ignores MCP servers
    "V2-18", // it replays for every cursor
    "V2-27", // it ignores the types of content blocks
    "V2-43", // it takes every value of an option
    "V2-45",
    "V2-49", // it ignores the filter of session/list
  ]);
  expect(report.made.versions).toEqual([2]);
  expect(report.requirements.filter(({ status }) => status === "passed").length).toBeGreaterThan(20);
});

/** Our client of both versions in this process: it opens a session and runs one turn. */
const ourClient: LaunchClient = async ({ onAgent }) => {
  const toClient = new PassThrough();
  const fromClient = new PassThrough();
  let listener: AgentLinkListener | undefined;
  const end = (): void => void toClient.end();
  fromClient.on("data", (bytes: Uint8Array) => listener?.data(bytes));
  fromClient.on("end", () => listener?.end());
  onAgent({
    extraArguments: [],
    write: (bytes) => void (toClient.writable && toClient.write(bytes)),
    exit: end,
    crash: end,
    listen: (to) => {
      listener = to;
    },
  });
  const exited = (async () => {
    await using agent = await connectAgent(nodeTransport(toClient, fromClient), {
      info: { name: "our-client", version: "1.0.0" },
      versions: [v2],
      // Stays open until the agent cancels it.
      permissions: (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve("reject_once"))),
    });
    const mcpServers = [{ name: "files", command: "files", args: [], env: [] }];
    const session = await agent.newSession({ cwd: process.cwd(), mcpServers });
    if (agent.protocolVersion === 2) await session.options.set("mode", "code");
    await session.prompt("Hello").result;
  })().then(
    () => ({ code: 0, signal: null }),
    () => ({ code: 1, signal: null }),
  );
  return { exited, stderr: () => "", type: () => {}, closeStdin: () => {}, signal: () => {}, kill: async () => end() };
};

it("V2-REQ-36: our client breaks no rule of version 2", { timeout: 120_000 }, async () => {
  const report = await testClient({ client: ourClient, protocol: 2, jobs: 2, stepTimeoutMs: 10_000 });
  expect(report.faults.map(({ finding }) => finding)).toEqual([]);
  const unused = ["V2-08", "V2-36"]; // the scripted agent offers neither a login nor calls to cancel
  expect(report.requirements.filter(({ status }) => status !== "passed").map(({ id }) => id)).toEqual(unused);
});
