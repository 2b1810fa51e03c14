import { createAgent } from "@acp-kit/agent";
import { clientScript, openMemoryPair } from "@acp-kit/testing";
import { expect, test } from "vitest";
import "./matchers.js";

const yourAgent = createAgent({
  info: { name: "yours", version: "1.0.0" },
  newSession: () => ({ sessionId: "s-1" }),
  prompt: async (turn) => {
    const edit = turn.toolCall({ title: "Edit a.ts", kind: "edit" });
    const { allowed } = await edit.requestPermission();
    await (allowed ? edit.complete() : edit.fail());
  },
});

// #region agent
test("the agent edits a file only with permission", async () => {
  const [theirs, ours] = openMemoryPair();
  yourAgent.connect(theirs);
  const client = clientScript()
    .initialize({ clientCapabilities: { fs: { readTextFile: true } } })
    .on("fs/read_text_file", { content: "export {};" })
    .onPermission(/^Edit/, "allow_once")
    .connect(ours);

  await client.initialize();
  await client.newSession();
  expect(await client.prompt("fix it")).toHaveStopped("end_turn");

  expect(client).toHaveReceived("session/update", { update: { status: "completed" } });
  expect(client).toHaveConformantDialogue();
  await client.close();
});
// #endregion agent
