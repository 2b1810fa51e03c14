import { CapabilityError } from "@acp-kit/protocol";
import { expect, test } from "vitest";
import { scripted } from "../../test/scripted-agent.js";
import { systemPrompt } from "./system-prompt.js";

test("a system prompt is sent with each way to open a session, if the agent takes one", async () => {
  const advertised = { systemPrompt: { mode: { override: {} } }, resume: {} };
  const { connection, received } = await scripted({
    answer: { agentCapabilities: { sessionCapabilities: advertised as object } },
    agent: (peer) => peer.handle("session/resume", () => ({})),
  });
  await connection.newSession({ cwd: "/", systemPrompt: systemPrompt("Be brief.") });
  const content = [{ type: "text", text: "Be brief." }];
  expect(received.at(-1)?.params).toMatchObject({ systemPrompt: { mode: "append", content } });
  await connection.resumeSession({ cwd: "/", sessionId: "s2", systemPrompt: systemPrompt("Be brief.", "override") });
  expect(received.at(-1)?.params).toMatchObject({ sessionId: "s2", systemPrompt: { mode: "override", content } });
});

test("a system prompt that the agent would not apply is not sent", async () => {
  const none = await scripted();
  await expect(none.connection.newSession({ cwd: "/", systemPrompt: systemPrompt("x") })).rejects.toThrow(
    CapabilityError,
  );
  const appends = await scripted({
    answer: { agentCapabilities: { sessionCapabilities: { systemPrompt: {} } as object } },
  });
  const refused = appends.connection.newSession({ cwd: "/", systemPrompt: systemPrompt("x", "override") });
  await expect(refused).rejects.toThrow(/sessionCapabilities.systemPrompt.mode.override/);
  expect(appends.methods()).toEqual(["initialize"]);
});
