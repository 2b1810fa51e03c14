// #region page
import { type AgentConnection, connectAgent, permissionView, permissionViewText } from "@acp-kit/client";
import { webSocketAgent } from "@acp-kit/http";

/** A function of the page that asks the user whether the agent may run a tool call. */
export type Confirm = (question: string) => boolean | Promise<boolean>;

/** Connects a page to the agent of its own server. */
export function connect(confirm: Confirm, url: string = new URL("/acp", location.href).href): Promise<AgentConnection> {
  return connectAgent(webSocketAgent(url), {
    info: { name: "page", version: "1.0.0" },
    permissions: async (request) =>
      (await confirm(`Allow this?\n${permissionViewText(permissionView(request))}`)) ? "allow_once" : "reject",
  });
}

/** Sends a prompt and shows the agent's text as it arrives. */
export async function ask(agent: AgentConnection, text: string, show: (text: string) => void): Promise<void> {
  const session = await agent.newSession({ cwd: "/" });
  for await (const update of session.prompt(text)) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") show(update.content.text);
  }
}
// #endregion page
