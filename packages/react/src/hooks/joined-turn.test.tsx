import type { Session } from "@acp-kit/client";
import { agentScript } from "@acp-kit/testing";
import { act, type ReactElement } from "react";
import { expect, it } from "vitest";
import { button, click, render, until } from "../../test/render.js";
import { count, scripted } from "../../test/scripted.js";
import {
  AgentProvider,
  type ConnectionReport,
  createAgentStore,
  LiveStatus,
  SessionComposer,
  TranscriptEntryView,
  useAgent,
  useSession,
  useTranscript,
  useTurn,
} from "../index.js";

const sessionId = "s1";
const request = { cwd: "/work", sessionId };
const text = (sessionUpdate: string, text: string): object => ({ sessionUpdate, content: { type: "text", text } });
const idle = (outcome: object): object => ({
  sessionUpdate: "session_info_update",
  _meta: { "acp-kit/turn": "idle", "acp-kit/outcome": outcome },
});

/** A page of which every part depends on the running turn. */
function Page(): ReactElement {
  const { session } = useSession(request);
  return <Conversation session={session} />;
}

function Conversation({ session }: { session: Session | undefined }): ReactElement {
  const { entries, activity, terminals } = useTranscript(session);
  const { running, stopReason, error } = useTurn(session);
  return (
    <>
      <output>{`${activity} ${running?.isJoined} ${stopReason} ${error instanceof Error ? error.message : ""}`}</output>
      {entries.map((entry) => (
        <TranscriptEntryView key={entry.key} entry={entry} terminals={terminals} />
      ))}
      <LiveStatus entries={entries} activity={activity} />
      <SessionComposer session={session} />
    </>
  );
}

/** A page that was loaded again while its turn runs. */
async function reloaded() {
  const script = agentScript().initialize({ agentCapabilities: { loadSession: true } });
  const update = (update: object) => agents[0]?.notify("session/update", { sessionId, update });
  script.on("session/load", async () => {
    await update(text("user_message_chunk", "go"));
    await update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Edit", status: "pending" });
    await update(text("agent_message_chunk", "Hel"));
    return { _meta: { "acp-kit/turn": "running" } };
  });
  const { store, agents } = scripted(script);
  const { container } = await render(
    <AgentProvider store={store}>
      <Page />
    </AgentProvider>,
  );
  const state = (): string | null | undefined => container.querySelector("output")?.textContent;
  await until(() => state() === "running true undefined ");
  return { agents, container, state, update };
}

it("turn.joined: a page that is loaded again during a turn has one message and a Stop button that works", async () => {
  const { agents, container, state, update } = await reloaded();
  expect(container.textContent).not.toContain("stopped");
  await act(async () => update(text("agent_message_chunk", "lo")));
  await until(() => container.textContent?.includes("Hello") === true);
  expect(container.querySelectorAll(".acp-agent-message")).toHaveLength(1);
  await click(button(container, "Stop"));
  await until(() => count(agents, "session/cancel") === 1);
  await act(async () => update(idle({ result: { stopReason: "cancelled" } })));
  await until(() => state() === "idle undefined cancelled ");
  expect(container.textContent).toContain("stopped");
});

it("shows the error of a turn that another client has started", async () => {
  const { state, update } = await reloaded();
  await act(async () => update(idle({ error: { code: -32603, message: "The agent ended" } })));
  await until(() => state() === "idle undefined undefined The agent ended");
});

it("a lost connection is the state reconnecting; the agent and its session stay", async () => {
  let report: ConnectionReport | undefined;
  const agent = agentScript().inMemory();
  const store = createAgentStore((given) => {
    report = given;
    return agent.transport;
  });
  function Shows(): ReactElement {
    const { status, agent } = useAgent();
    const { session } = useSession({ cwd: "/work" });
    return <p>{`${status} ${agent?.info?.name} ${session?.sessionId}`}</p>;
  }
  const { container } = await render(
    <AgentProvider store={store}>
      <Shows />
    </AgentProvider>,
  );
  await until(() => container.textContent === "ready script session-1");
  await act(async () => report?.onConnectionChange({ is: "lost" }));
  expect(container.textContent).toBe("reconnecting script session-1");
  await act(async () => report?.onConnectionChange({ is: "restored" }));
  expect(container.textContent).toBe("ready script session-1");
  await act(() => store.close());
  await act(async () => report?.onConnectionChange({ is: "lost" }));
  expect(container.textContent).toBe("idle undefined undefined");
  await agent.close();
});

it("a new session is loaded again when the connection was opened again", async () => {
  const script = agentScript()
    .initialize({ agentCapabilities: { loadSession: true } })
    .on("session/load", {});
  const { store, agents } = scripted(script);
  function Shows(): ReactElement {
    const { status, reconnect } = useAgent();
    const { session } = useSession({ cwd: "/work" });
    return (
      <button type="button" onClick={reconnect}>
        {`${status} ${session?.sessionId}`}
      </button>
    );
  }
  const { container } = await render(
    <AgentProvider store={store}>
      <Shows />
    </AgentProvider>,
  );
  await until(() => container.textContent === "ready session-1");
  await act(async () => agents[0]?.break(new Error("cable cut")));
  await until(() => container.textContent === "closed undefined");
  await click(button(container, "closed"));
  await until(() => container.textContent === "ready session-1");
  expect(count(agents, "session/new")).toBe(1);
  expect(count(agents, "session/load")).toBe(1);
});
