import { remoteRequirements } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import { expect, it, onTestFinished } from "vitest";
import { kitAgent } from "./strangers/kit.js";
import { type RemoteServer, serveOurs, serveSdk2 } from "./strangers/remote-servers.js";
import { sdk2Agent } from "./strangers/sdk-2.js";

/** Judges the transports of a server alone: the agent behind it has tests of its own. */
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
    answerMs: 5_000,
    startMs: 1_000,
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

it("the server of the official SDK 2.4.0 breaks these rules, none of which weighs", { timeout: 60_000 }, async () => {
  expect(await judge(await serveSdk2(sdk2Agent))).toEqual([
    // Its Node adapter is a handler for `node:http`; HTTP/2 is left to a proxy.
    ["RT-03", "advisory", "no response over HTTP/2; over HTTP/1.1 the same request works"],
    // The RFD's table says 501.
    ["RT-45", "advisory", expect.stringMatching(/^status 400, .*JSON-RPC batches are not supported/)],
    // It never looks up the session of the header.
    ["RT-56", "advisory", "status 202"],
  ]);
});
