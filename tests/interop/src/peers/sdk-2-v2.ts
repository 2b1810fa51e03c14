// An agent on the experimental version 2 of the official SDK 2.4.0.
import * as sdk2 from "sdk-2/experimental/v2";
import { modes } from "./script.js";

/** An agent on the SDK's version 2. Its prompts are those of the agents of version 1 in these tests. */
export function sdkAgentOfVersion2(): sdk2.AgentApp {
  let messages = 0;
  let cancel = (): void => {};
  const agent = sdk2.agent({ name: "sdk-v2" });
  return agent
    .onRequest("initialize", () => ({
      protocolVersion: 2,
      info: { name: "sdk-v2", version: "2.4.0" },
      capabilities: { session: { delete: {} } },
      authMethods: [{ type: "agent", methodId: "token", name: "Token" }],
    }))
    .onRequest("auth/login", () => ({}))
    .onRequest("auth/logout", () => ({}))
    .onRequest("session/new", () => ({ sessionId: "s1", configOptions: [modeOption("ask")] }))
    .onRequest("session/list", () => ({ sessions: [{ sessionId: "old", cwd: "/work", title: "Old" }] }))
    .onRequest("session/resume", async ({ params: { sessionId, replayFrom }, client }) => {
      const send = (update: object) => client.notify("session/update", { sessionId, update: update as never });
      if (replayFrom) {
        await send({ sessionUpdate: "user_message", messageId: "u0", content: [{ type: "text", text: "Hello" }] });
        await send({ sessionUpdate: "agent_message", messageId: "a0", content: [{ type: "text", text: "Good day" }] });
      }
      await send({ sessionUpdate: "state_update", state: "idle" });
      return {};
    })
    .onRequest("session/close", () => ({}))
    .onRequest("session/delete", () => ({}))
    .onRequest("session/set_config_option", ({ params: { value } }) => ({ configOptions: [modeOption(String(value))] }))
    .onNotification("session/cancel", () => cancel())
    .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
      messages += 1;
      const cancelled = new Promise<void>((resolve) => {
        cancel = resolve;
      });
      const messageId = `u${messages}`;
      const send = (update: object) => client.notify("session/update", { sessionId, update: update as never });
      const say = (text: string) =>
        send({ sessionUpdate: "agent_message_chunk", messageId: `a${messages}`, content: { type: "text", text } });
      const [word, ...words] = prompt
        .map((block) => (block.type === "text" ? (block as { text: string }).text : ""))
        .join("")
        .split(" ");
      await send({ sessionUpdate: "user_message", messageId, content: prompt });
      await send({ sessionUpdate: "state_update", state: "running" });
      const work = async (): Promise<string> => {
        if (word === "wait") {
          await cancelled;
          return "cancelled";
        }
        if (word === "ask") {
          await send({ sessionUpdate: "state_update", state: "requires_action" });
          const { outcome } = await client.request("session/request_permission", {
            sessionId,
            title: "May I?",
            subject: { type: "tool_call", toolCall: { toolCallId: "t1", title: "Edit" } },
            options: [
              { optionId: "no", name: "No", kind: "reject_once" },
              { optionId: "yes", name: "Yes", kind: "allow_once" },
            ],
          });
          await send({ sessionUpdate: "state_update", state: "running" });
          await say(
            outcome.outcome === "selected" ? String((outcome as { optionId: string }).optionId) : outcome.outcome,
          );
        } else await say(words.join(" "));
        return "end_turn";
      };
      void work().then((stopReason) => send({ sessionUpdate: "state_update", state: "idle", stopReason }));
      return { messageId };
    });
}

const modeOption = (currentValue: string): sdk2.SessionConfigOption => ({
  type: "select",
  configId: "mode",
  name: "Mode",
  category: "mode",
  currentValue,
  options: modes.availableModes.map(({ id, name }) => ({ value: id, name })),
});
