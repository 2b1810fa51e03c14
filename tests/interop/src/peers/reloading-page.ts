// The script of a web page that only stores the id of its session. Each time it is loaded, it shows the whole
// conversation and follows the running turn. Its title is the session's activity and the number of the agent's
// messages; a click cancels the turn.
import { connectAgent, type Session } from "@acp-kit/client";
import { fetchAgent, webSocketAgent } from "@acp-kit/http";
import { v2 } from "@acp-kit/v2/client";

declare const location: { readonly href: string };
declare const sessionStorage: { getItem(name: string): string | null; setItem(name: string, value: string): void };
declare const document: {
  readonly body: { append(text: string): void };
  title: string;
  addEventListener(type: "click", listener: () => void): void;
};

interface ShownUpdate {
  readonly sessionUpdate: string;
  readonly content?: { readonly text?: string };
}

/** The page itself is the only record of the shown text. */
function show({ sessionUpdate, content }: ShownUpdate): void {
  if (sessionUpdate === "agent_message_chunk") document.body.append(content?.text ?? "");
}

function follow(session: Session): void {
  const draw = (): void => {
    const { entries } = session.transcript.snapshot;
    document.title = `${session.activity} ${entries.filter(({ type }) => type === "agent_message").length}`;
  };
  session.transcript.subscribe(draw);
  draw();
  document.addEventListener("click", () => session.turn?.cancel());
}

async function open(): Promise<void> {
  const { searchParams } = new URL(location.href);
  const url = searchParams.get("agent") ?? "";
  const source = searchParams.get("profile") === "WebSocket" ? webSocketAgent(url) : fetchAgent(url);
  const versions = searchParams.get("version") === "2" ? ([v2] as const) : ([] as const);
  const agent = await connectAgent(source, { info: { name: "page", version: "1" }, versions });
  const onUpdate = (update: object): void => show(update as ShownUpdate);
  const sessionId = sessionStorage.getItem("session");
  if (sessionId !== null) {
    follow(await agent.loadSession({ sessionId, cwd: "/work" }, { onUpdate }));
    return;
  }
  const session = await agent.newSession({ cwd: "/work" }, { onUpdate });
  sessionStorage.setItem("session", session.sessionId);
  follow(session);
  await session.prompt("go").result;
}

void open();
