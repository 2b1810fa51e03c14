// The script of a web page that only stores the id of its session. Each time it is loaded, it shows the whole conversation and follows the
// running turn.
import { connectAgent } from "@acp-kit/client";
import { httpAgent, webSocketAgent } from "@acp-kit/http";

declare const location: { readonly href: string };
declare const sessionStorage: { getItem(name: string): string | null; setItem(name: string, value: string): void };
declare const document: { readonly body: { append(text: string): void }; title: string };

interface ShownUpdate {
  readonly sessionUpdate: string;
  readonly content?: { readonly text?: string };
  readonly _meta?: { readonly "acp-kit/turn"?: string } | null;
}

/** The page itself is the only record of the shown text. */
function show({ sessionUpdate, content, _meta }: ShownUpdate): void {
  if (sessionUpdate === "agent_message_chunk") document.body.append(content?.text ?? "");
  if (sessionUpdate === "session_info_update" && _meta?.["acp-kit/turn"] === "idle") document.title = "idle";
}

async function open(): Promise<void> {
  const { searchParams } = new URL(location.href);
  const url = searchParams.get("agent") ?? "";
  const agent = await connectAgent(searchParams.get("profile") === "WebSocket" ? webSocketAgent(url) : httpAgent(url));
  const onUpdate = (update: object): void => show(update as ShownUpdate);
  const sessionId = sessionStorage.getItem("session");
  if (sessionId !== null) {
    await agent.loadSession({ sessionId, cwd: "/work" }, { onUpdate });
    return;
  }
  const session = await agent.newSession({ cwd: "/work" }, { onUpdate });
  sessionStorage.setItem("session", session.sessionId);
  await session.prompt("go").result;
}

void open();
