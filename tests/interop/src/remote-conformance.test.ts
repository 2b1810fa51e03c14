import { remoteRequirements } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import { expect, it, onTestFinished } from "vitest";
import { kitAgent } from "./peers/kit.js";
import { type RemoteServer, serveOurs, serveSdk2 } from "./peers/remote-servers.js";
import { sdk2Agent } from "./peers/sdk-2.js";

/** Checks only the transports of a server: other tests check the agent. */
async function judge(
  server: RemoteServer,
): Promise<readonly (readonly [rule: string, weight: string, received: string])[]> {
  onTestFinished(() => server[Symbol.asyncDispose]());
  const report = await testAgent({
    agent: { command: process.execPath, args: ["-e", ""] },
    remote: { url: server.address("streamable HTTP") },
    prompts: { text: "say hello" },
    only: ["http/", "streams/", "websocket/"],
    jobs: 2,
    requestTimeoutMs: 5_000,
    initializeTimeoutMs: 1_000,
  });
  const transports = new Set(remoteRequirements.map(({ id }) => id));
  const open = report.scenarios.filter(
    ({ verdict }) => verdict.status === "inconclusive" || verdict.status === "flaky",
  );
  expect(open.map(({ id, verdict }) => [id, verdict])).toEqual([]);
  return report.faults.flatMap(({ weight, finding, rules }) =>
    rules.filter((rule) => transports.has(rule)).map((rule) => [rule, weight, finding.received] as const),
  );
}

it("conformance.our-server-is-clean: our server breaks no rule of the remote transports", {
  timeout: 60_000,
}, async () => {
  expect(await judge(await serveOurs(kitAgent()))).toEqual([]);
});

it("the server of the official SDK 2.4.0 breaks only the listed rules, and all of these findings are advice", {
  timeout: 60_000,
}, async () => {
  expect(await judge(await serveSdk2(sdk2Agent))).toEqual([
    // The SDK's Node adapter is a handler for `node:http`; HTTP/2 needs a proxy.
    ["RT-03", "advisory", "no response over HTTP/2; over HTTP/1.1 the same request works"],
    // The table of the RFD requires 501.
    ["RT-45", "advisory", expect.stringMatching(/^status 400, .*JSON-RPC batches are not supported/)],
    // The server never looks up the session of the header.
    ["RT-56", "advisory", "status 202"],
  ]);
});
