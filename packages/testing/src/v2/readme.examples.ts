import { type V2AgentScript, v2AgentScript } from "@acp-kit/testing/v2";

// #region agent
export const script: V2AgentScript = v2AgentScript()
  .savedSession("saved", [
    { sessionUpdate: "agent_message", messageId: "m1", content: [{ type: "text", text: "Good day" }] },
  ])
  .onPrompt("later", async (work) => {
    await work.pause(1_000); // the prompt is held: it has no response and no user message yet
    work.message("Here I am.");
  })
  .onPrompt(/^edit/, async (work) => {
    const call = work.toolCall({ title: "Edit notes.txt", kind: "edit" });
    const { outcome } = await work.requestPermission("Edit notes.txt?");
    work.toolCallUpdate(call, { status: outcome.outcome === "selected" ? "completed" : "cancelled" });
    const draft = work.wholeMessage("Saved");
    work.wholeMessage("Saved.", draft); // replaces the message
  });
// #endregion agent
