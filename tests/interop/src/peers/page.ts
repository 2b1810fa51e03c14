// The script of a web page. It connects to an agent at the page's own address, and exposes its state to the tests.
import { type AgentConnection, connectAgent, type Session } from "@acp-kit/client";
import { fetchAgent, webSocketAgent } from "@acp-kit/http";

declare const location: { readonly href: string };
declare function confirm(question: string): boolean;

let agent: AgentConnection;
let session: Session;
const texts: string[] = [];
const titles: string[] = [];
let running: Promise<string> | undefined;

const page = {
  /** The text of the agent's messages. */
  texts,
  /** The titles of the tool calls so far. */
  titles,

  async connect(profile: string): Promise<string> {
    const source = profile === "WebSocket" ? webSocketAgent : fetchAgent;
    const url = new URL("/acp", location.href);
    agent = await connectAgent(source(url), {
      permissions: async () => (confirm("May it?") ? "allow_once" : "reject_once"),
    });
    session = await agent.newSession({ cwd: "/work" });
    return agent.info?.name ?? "";
  },

  /** Runs a turn. Returns its stop reason, or the name of its error. */
  async prompt(text: string): Promise<string> {
    const turn = session.prompt(text);
    try {
      for await (const update of turn) {
        if (update.sessionUpdate === "agent_message_chunk")
          texts.push((update as { content: { text?: string } }).content.text ?? "");
        if (update.sessionUpdate === "tool_call_update" && typeof update.title === "string") titles.push(update.title);
      }
      return (await turn.result).stopReason;
    } catch (error) {
      return (error as Error).name;
    }
  },

  begin(text: string): void {
    running = page.prompt(text);
  },

  end: (): Promise<string> | undefined => running,
};

export type Page = typeof page;
Object.assign(globalThis, { page });
