import { connectAgent, type Diagnostic, linkedTransports, readTranscript } from "@acp-kit/client";
import { everythingAgent } from "@acp-kit/everything-agent";
import { expect, it } from "vitest";
import { outline } from "./outline.js";

const prompts = [
  "/stream",
  "/think",
  "/plan",
  "/tools",
  "/edit /work/a.txt",
  "/permission 2",
  "/run echo hi",
  "/usage",
  "/notice",
  "/compact",
  "/mode plan",
  "/title Everything",
  "/refuse",
  "/error 500",
];

it("the transcript of a session with every feature has the expected outline", async () => {
  const [agentSide, clientSide] = linkedTransports({ serialize: true });
  everythingAgent({ paceMs: 0 }).connect(agentSide);
  const diagnostics: Diagnostic[] = [];
  await using agent = await connectAgent(clientSide, {
    permissions: async ({ toolCall }) => (toolCall.kind === "other" ? "reject_once" : "allow_once"),
    supports: { notices: true, compaction: true, booleanConfigOptions: true },
    files: { readTextFile: () => ({ content: "a\n" }), writeTextFile() {} },
    terminals: {
      createTerminal: () => ({ terminalId: "terminal-1" }),
      terminalOutput: () => ({ output: "hi\n", truncated: false, exitStatus: { exitCode: 0 } }),
      waitForTerminalExit: () => ({ exitCode: 0 }),
      killTerminal() {},
      releaseTerminal() {},
    },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const session = await agent.newSession({ cwd: "/work" });
  for (const prompt of prompts) await session.prompt(prompt).result.catch(() => {}); // The last turn fails.
  const { snapshot } = session.transcript;
  await expect(outline(snapshot)).toMatchFileSnapshot("./outlines/everything-agent.txt");
  expect(readTranscript(JSON.parse(JSON.stringify(snapshot)))).toEqual(snapshot);
  expect(diagnostics).toEqual([]); // The agent needs no compatibility rule.
});
