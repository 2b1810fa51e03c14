import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { connectAgent } from "@acp-kit/client";
import type { AgentLinkListener, ExitStatus, LaunchClient } from "@acp-kit/conformance";
import { testClient } from "@acp-kit/conformance/node";
import { nodeTransport } from "@acp-kit/stdio/node";
import { workspaceFiles, workspaceTerminals } from "@acp-kit/workspace";
import { afterAll, beforeAll, expect, it } from "vitest";

let cwd = "";
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-our-client-")));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Our client with all that it can do, in this process. It prompts once; "cancel" cancels. */
const ourClient: LaunchClient = async ({ onAgent }) => {
  const toClient = new PassThrough();
  const toAgent = new PassThrough();
  let listener: AgentLinkListener | undefined;
  toAgent.on("data", (bytes: Uint8Array) => listener?.data(bytes));
  toAgent.on("end", () => listener?.end());
  onAgent({
    extraArguments: [],
    write: (bytes) => void toClient.write(bytes),
    exit: () => void toClient.end(),
    crash: () => void toClient.end(),
    listen: (to) => {
      listener = to;
    },
  });
  const stop = new AbortController();
  let cancel = (): void => {};
  const converse = async (): Promise<number> => {
    await using agent = await connectAgent(nodeTransport(toClient, toAgent), {
      info: { name: "our-client", version: "1.0.0" },
      files: workspaceFiles({ roots: [cwd] }),
      terminals: workspaceTerminals({ roots: [cwd] }),
      elicitation: {
        form: ({ requestedSchema }) => {
          const content: Record<string, string> = {};
          for (const [key, property] of Object.entries(requestedSchema.properties ?? {})) {
            const value = (property as { readonly default?: unknown }).default;
            if (typeof value === "string") content[key] = value;
          }
          return { action: "accept", content };
        },
        url: () => ({ action: "decline" }),
      },
      permissions: async (_, { signal }) => {
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, 1_500); // so that some are still open when the turn is cancelled, on a busy machine too
          signal.addEventListener("abort", () => {
            clearTimeout(timer);
            resolve(undefined);
          });
        });
        return "allow_once";
      },
      login: { choose: async (methods) => methods.find(({ kind }) => kind === "agent") },
      supports: { notices: true, compaction: true, booleanConfigOptions: true },
      signal: stop.signal,
    });
    if (agent.offers("agentCapabilities.sessionCapabilities.list")) {
      for await (const _ of agent.listSessions({ cwd }));
    }
    const session = await agent.newSession({ cwd });
    const turn = session.prompt("Hello");
    cancel = () => turn.cancel();
    const { stopReason } = await turn.result;
    return stopReason === "end_turn" ? 0 : 4;
  };
  const ended = converse().catch(() => 1);
  const exited = ended.then((code): ExitStatus => ({ code, signal: null }));
  return {
    exited,
    stderr: () => "",
    type: (text) => {
      if (text.trim() === "cancel") cancel();
    },
    closeStdin: () => {},
    signal: () => {},
    kill: async () => {
      stop.abort();
      toClient.end();
      await exited;
    },
  };
};

it("breaks no rule in anything that can be tried with it", async () => {
  const report = await testClient({
    client: ourClient,
    cancelStdin: "cancel",
    quietMs: 60,
    stepMs: 10_000,
    jobs: 4,
    // The schema closes the list of formats, and our decoders are the schema's; the RFD would have it open.
    expectedFailures: ["ELICIT-10"],
  });
  const of = (status: string) =>
    report.scenarios.filter(({ kind, verdict }) => kind === "scenario" && verdict.status === status);
  const unexpected = report.scenarios.filter(({ verdict, expected }) => verdict.status === "failed" && !expected);
  expect(unexpected.map(({ id, verdict }) => [id, verdict])).toEqual([]);
  expect(report.conformant).toBe(true);
  expect(of("skipped").map(({ id }) => id)).toEqual([
    "messages/not-advertised", // it advertises everything
    "messages/elicitation-not-advertised",
    "elicitation/other-mode",
    "endings/later-turns",
  ]);
});
