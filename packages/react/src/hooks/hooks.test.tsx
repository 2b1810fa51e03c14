import { RpcError, type Session } from "@acp-kit/client";
import { agentScript } from "@acp-kit/testing";
import { act, Component, type ReactElement, type ReactNode, Suspense, version } from "react";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { button, click, render, until } from "../../test/render.js";
import { count, scripted } from "../../test/scripted.js";
import {
  AgentProvider,
  createAgentStore,
  useAgent,
  useForms,
  useOptions,
  usePermissions,
  usePlan,
  useReadable,
  useReadyAgent,
  useReadySession,
  useSession,
  useTranscript,
  useTurn,
  useUsage,
} from "../index.js";

const request = { cwd: "/work" };

/** Passes the session of a request to a component. */
function WithSession({
  of = request,
  children,
}: {
  of?: typeof request;
  children: (session: Session) => ReactNode;
}): ReactNode {
  const { session, status } = useSession(of);
  return session === undefined ? <p>{status}</p> : children(session);
}

/** Shows the message of an error that its children throw. */
class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
  override state: { message?: string } = {};
  static getDerivedStateFromError(error: Error): { message: string } {
    return { message: error.message };
  }
  override render(): ReactNode {
    return this.state.message ?? this.props.children;
  }
}

it("runs with the major version of React that the project names", ({ task }) => {
  expect(task.file.projectName).toBe(`react-${version.split(".")[0]}`);
});

it("connects once and opens one session in StrictMode, and shares it between components", async () => {
  const { store, agents } = scripted();
  function Shows(): ReactElement {
    const { status, agent } = useAgent();
    return <p>{`${status} ${agent?.info?.name ?? ""}`}</p>;
  }
  const { container, render: again } = await render(
    <AgentProvider store={store}>
      <Shows />
      <WithSession>{(session) => <p>{session.sessionId}</p>}</WithSession>
      <WithSession>{(session) => <p>{session.sessionId}</p>}</WithSession>
    </AgentProvider>,
  );
  await until(() => container.textContent === "ready scriptsession-1session-1");
  expect(count(agents, "initialize")).toBe(1);
  expect(count(agents, "session/new")).toBe(1);
  await again(<AgentProvider store={store}>{null}</AgentProvider>);
  await again(
    <AgentProvider store={store}>
      <WithSession>{(session) => <p>{session.sessionId}</p>}</WithSession>
    </AgentProvider>,
  );
  expect(container.textContent).toBe("session-1"); // immediately, because the session stayed open
  expect(agents[0]?.receivedSoFar("session/close")).toEqual([]);
});

it("reports a connection that fails or ends, and connects again", async () => {
  let fails = true;
  const script = agentScript();
  const agents: ReturnType<typeof script.inMemory>[] = [];
  const store = createAgentStore(() => {
    if (fails) throw new Error("no such agent");
    const agent = script.inMemory();
    agents.push(agent);
    return agent.transport;
  });
  function Shows(): ReactElement {
    const { status, error, reconnect } = useAgent();
    return (
      <button type="button" onClick={reconnect}>
        {`${status} ${error instanceof Error ? error.message : ""}`}
      </button>
    );
  }
  const { container } = await render(
    <AgentProvider store={store}>
      <Shows />
    </AgentProvider>,
  );
  await until(() => container.textContent === "failed no such agent");
  fails = false;
  await click(button(container, "failed"));
  await until(() => container.textContent === "ready ");
  await act(async () => agents[0]?.break(new Error("cable cut")));
  await until(() => container.textContent?.startsWith("closed") === true);
  await click(button(container, "closed"));
  await until(() => container.textContent === "ready ");
  expect(agents).toHaveLength(2);
  await store.close();
});

it("suspends while it connects, and throws errors to the boundary", async () => {
  function Name(): ReactElement {
    return <p>{`${useReadyAgent().info?.name} ${useReadySession(request).sessionId}`}</p>;
  }
  const { store } = scripted(agentScript());
  const { container } = await render(
    <Suspense fallback="connecting">
      <AgentProvider store={store}>
        <Name />
      </AgentProvider>
    </Suspense>,
  );
  await until(() => container.textContent === "script session-1");

  const silence = vi.spyOn(console, "error").mockImplementation(() => {});
  const failing = createAgentStore(() => Promise.reject(new Error("refused")));
  const other = await render(
    <Boundary>
      <Suspense fallback="connecting">
        <AgentProvider store={failing}>
          <Name />
        </AgentProvider>
      </Suspense>
    </Boundary>,
  );
  await until(() => other.container.textContent === "refused");
  silence.mockRestore();
});

it("throws the end of the connection to the boundary, and does not start the agent again by itself", async () => {
  function Id(): ReactElement {
    return <p>{useReadySession(request).sessionId}</p>;
  }
  const { store, agents } = scripted(agentScript());
  const { container } = await render(
    <AgentProvider store={store}>
      <Boundary>
        <Suspense fallback="connecting">
          <Id />
        </Suspense>
      </Boundary>
    </AgentProvider>,
  );
  await until(() => container.textContent === "session-1");
  const silence = vi.spyOn(console, "error").mockImplementation(() => {});
  await act(async () => agents[0]?.break(new Error("cable cut")));
  await until(() => store.state.snapshot.status !== "ready" && container.textContent !== "session-1");
  silence.mockRestore();
  expect(store.state.snapshot.status).toBe("closed");
  expect(container.textContent).toContain("cable cut");
  expect(agents).toHaveLength(1);
  await store.close();
});

it("connects once although a subscriber of the state calls `connect`", async () => {
  const { store, agents } = scripted(agentScript());
  const unsubscribe = store.state.subscribe(() => {
    if (store.state.snapshot.status !== "ready") store.connect().catch(() => {});
  });
  await store.connect();
  expect(agents).toHaveLength(1);
  unsubscribe();
  await store.close();
});

it("suspends without an update of another component while React renders", async () => {
  const { store } = scripted(agentScript());
  function Header(): ReactElement {
    return <p>{`${useAgent().status} ${useSession(undefined).status} ${useReadable(shared.state, idle).status}`}</p>;
  }
  function Name(): ReactElement {
    return <p>{`${useReadyAgent().info?.name} ${useReadySession(request).sessionId}`}</p>;
  }
  const shared = store.session(request);
  const idle = shared.state.snapshot;
  const tree = (isShown: boolean): ReactElement => (
    <AgentProvider store={store}>
      <Header />
      <Suspense fallback="connecting">{isShown && <Name />}</Suspense>
    </AgentProvider>
  );
  const { container, render: again } = await render(tree(false));
  await until(() => container.textContent === "ready idle idle");
  await act(() => store.close());
  const warnings = vi.spyOn(console, "error");
  await again(tree(true));
  await until(() => container.textContent === "ready idle readyscript session-1");
  expect(warnings).not.toHaveBeenCalled();
  warnings.mockRestore();
});

it("keeps the state of a session only while the session is open or a component shows it", async () => {
  const { store } = scripted(agentScript());
  const tree = (isShown: boolean): ReactElement => (
    <AgentProvider store={store}>{isShown && <WithSession>{() => "open"}</WithSession>}</AgentProvider>
  );
  const { container, render: again } = await render(tree(true));
  await until(() => container.textContent === "open");
  const shared = store.session(request);
  await again(tree(false));
  expect(store.session(request)).toBe(shared); // still open
  await again(tree(true));
  await act(() => shared.close());
  expect(store.session(request)).toBe(shared); // a component shows that it is closed
  await again(tree(false));
  const next = store.session(request);
  expect(next).not.toBe(shared);
  await next.open();
  expect(store.session(request)).toBe(next);
  await store.close();
  expect(store.session(request)).not.toBe(next);
});

it("opens no connection when it renders on a server", () => {
  const open = vi.fn();
  const store = createAgentStore(open);
  function Shows(): ReactElement {
    const { status } = useAgent();
    const { session, status: sessionStatus } = useSession(request);
    const entries = useTranscript(session, (transcript) => transcript.entries.length);
    const { activity } = useTurn(session);
    return <p>{[status, sessionStatus, entries, activity, usePlan(session).length, usePermissions().length].join()}</p>;
  }
  const html = renderToString(
    <AgentProvider store={store}>
      <Shows />
    </AgentProvider>,
  );
  expect(html).toBe("<p>idle,idle,0,idle,0,0</p>");
  expect(open).not.toHaveBeenCalled();
});

it("renders again only when the selected part of a transcript changes", async () => {
  const script = agentScript().onPrompt(async (turn) => {
    turn.plan("Look");
    for (let index = 0; index < 50; index += 1) {
      turn.message("word ");
      await Promise.resolve();
    }
    turn.update({ sessionUpdate: "usage_update", used: 10, size: 100 });
  });
  const { store } = scripted(script);
  const renders = { plan: 0, title: 0, text: "" };
  let sent: Session | undefined;
  function Plan({ session }: { session: Session }): ReactElement {
    renders.plan += 1;
    return <p>{usePlan(session).map(({ content }) => content)}</p>;
  }
  function Title({ session }: { session: Session }): ReactElement {
    renders.title += 1;
    return <p>{useTranscript(session, (transcript) => transcript.title ?? "none")}</p>;
  }
  function Text({ session }: { session: Session }): ReactElement {
    const last = useTranscript(session, ({ entries }) => entries.findLast(({ type }) => type === "agent_message"));
    renders.text = last?.type === "agent_message" ? last.text : "";
    return <p>{JSON.stringify(useUsage(session).context ?? {})}</p>;
  }
  const { container } = await render(
    <AgentProvider store={store}>
      <WithSession>
        {(session) => {
          sent = session;
          return [
            <Plan key="p" session={session} />,
            <Title key="t" session={session} />,
            <Text key="x" session={session} />,
          ];
        }}
      </WithSession>
    </AgentProvider>,
  );
  await until(() => sent !== undefined);
  await act(async () => {
    await sent?.prompt("go").result;
  });
  await until(() => container.textContent === 'Looknone{"used":10,"size":100}');
  expect(renders.text).toBe("word ".repeat(50));
  expect(renders.title).toBe(2); // StrictMode renders twice
  expect(renders.plan).toBe(4);
});

it("lists permission requests, and sends the user's decision", async () => {
  const script = agentScript().onPrompt(async (turn) => {
    const { outcome } = await turn.requestPermission(turn.toolCall({ title: "Edit a.ts", kind: "edit" }));
    turn.message(JSON.stringify(outcome));
  });
  const { store, agents } = scripted(script);
  function Shows({ session }: { session: Session }): ReactElement {
    const { send, stopReason, activity } = useTurn(session);
    const questions = usePermissions(session);
    return (
      <>
        <button type="button" onClick={() => send("go")}>
          send
        </button>
        {questions.map((question) => (
          <button type="button" key={question.id} onClick={() => question.decide("allow_once")}>
            {question.request.toolCall.title}
          </button>
        ))}
        <p>{`${activity} ${stopReason}`}</p>
      </>
    );
  }
  const { container } = await render(
    <AgentProvider store={store}>
      <WithSession>{(session) => <Shows session={session} />}</WithSession>
    </AgentProvider>,
  );
  await until(() => container.querySelector("button") !== null);
  await click(button(container, "send"));
  await until(() => container.querySelectorAll("button").length === 2);
  expect(container.textContent).toContain("running");
  await click(button(container, "Edit a.ts"));
  await until(() => container.textContent === "sendidle end_turn");
  expect(agents[0]?.seen).toContainEqual(
    expect.objectContaining({
      from: "agent",
      message: expect.objectContaining({
        params: expect.objectContaining({
          update: expect.objectContaining({
            content: { type: "text", text: '{"outcome":"selected","optionId":"allow"}' },
          }),
        }),
      }),
    }),
  );
});

it("queues prompts, removes them, and cancels the running turn", async () => {
  const script = agentScript().onPrompt(async (turn) => {
    await turn.cancelled;
  });
  const { store, agents } = scripted(script);
  function Shows({ session }: { session: Session }): ReactElement {
    const { send, queued, running, cancel, stopReason } = useTurn(session);
    return (
      <>
        <button type="button" onClick={() => send("go")}>
          send
        </button>
        <button type="button" onClick={cancel}>
          cancel
        </button>
        <button type="button" onClick={() => queued[0]?.remove()}>
          remove
        </button>
        <p>{`${running?.state ?? "none"} ${queued.length} ${stopReason}`}</p>
      </>
    );
  }
  const { container } = await render(
    <AgentProvider store={store}>
      <WithSession>{(session) => <Shows session={session} />}</WithSession>
    </AgentProvider>,
  );
  const state = (): string | undefined => container.querySelector("p")?.textContent ?? undefined;
  await until(() => state() === "none 0 undefined");
  await click(button(container, "send"));
  await click(button(container, "send"));
  await until(() => state() === "running 1 undefined");
  await click(button(container, "remove"));
  await until(() => state() === "running 0 cancelled");
  await click(button(container, "cancel"));
  await until(() => state() === "none 0 cancelled");
  expect(count(agents, "session/prompt")).toBe(1);
});

it("reports a turn that fails", async () => {
  const script = agentScript().on("session/prompt", () => {
    throw new Error("no model");
  });
  const { store, agents } = scripted(script);
  function Shows({ session }: { session: Session }): ReactElement {
    const { send, error } = useTurn(session);
    return (
      <button type="button" onClick={() => send("go")}>
        {error instanceof Error ? error.name : "fine"}
      </button>
    );
  }
  const { container } = await render(
    <AgentProvider store={store}>
      <WithSession>{(session) => <Shows session={session} />}</WithSession>
    </AgentProvider>,
  );
  await until(() => container.textContent === "fine");
  await click(button(container, "fine"));
  await until(() => container.textContent === "RpcError");
  await store.close();
  await agents[0]?.close().catch(() => {}); // the error of the script
  agents.length = 0;
});

it("sets an option by its id or its category, and reports failures", async () => {
  const modes = {
    currentModeId: "ask",
    availableModes: [
      { id: "ask", name: "Ask" },
      { id: "code", name: "Code" },
    ],
  };
  const script = agentScript().on("session/new", { sessionId: "s1", modes }).on("session/set_mode", {});
  const { store } = scripted(script);
  function Shows({ session }: { session: Session }): ReactElement {
    const { options, set, error } = useOptions(session);
    const mode = options.find(({ category }) => category === "mode");
    const choices = mode?.type === "select" ? mode.choices : [];
    return (
      <>
        <button type="button" onClick={() => void set("mode", "code")}>
          code
        </button>
        <button type="button" onClick={() => void set("mode", "none such")}>
          wrong
        </button>
        <p>{`${choices.length} ${mode?.value} ${options.length} ${error instanceof Error ? error.name : "fine"}`}</p>
      </>
    );
  }
  const { container } = await render(
    <AgentProvider store={store}>
      <WithSession>{(session) => <Shows session={session} />}</WithSession>
    </AgentProvider>,
  );
  const state = (): string | undefined => container.querySelector("p")?.textContent ?? undefined;
  await until(() => state() === "2 ask 1 fine");
  await click(button(container, "code"));
  await until(() => state() === "2 code 1 fine");
  await click(button(container, "wrong"));
  await until(() => state() === "2 code 1 TypeError");
});

it("lists forms, and sends the user's response; a cancelled turn closes them", async () => {
  const schema = { type: "object" as const, properties: { name: { type: "string" as const } } };
  const script = agentScript().onPrompt(async (turn) => {
    const response = await turn.request("elicitation/create", {
      mode: "form",
      message: "Who?",
      requestedSchema: schema,
    } as never);
    turn.message(JSON.stringify(response));
  });
  const { store, agents } = scripted(script, { forms: true });
  function Shows({ session }: { session: Session }): ReactElement {
    const { send, cancel } = useTurn(session);
    const forms = useForms(session);
    return (
      <>
        <button type="button" onClick={() => send("go")}>
          send
        </button>
        <button type="button" onClick={cancel}>
          cancel
        </button>
        <p>{forms.map(({ request: { message } }) => message).join()}</p>
        {forms.map(({ id, respond }) => (
          <button type="button" key={id} onClick={() => respond({ action: "accept", content: { name: "Ann" } })}>
            respond
          </button>
        ))}
      </>
    );
  }
  const { container } = await render(
    <AgentProvider store={store}>
      <WithSession>{(session) => <Shows session={session} />}</WithSession>
    </AgentProvider>,
  );
  const state = (): string | undefined => container.querySelector("p")?.textContent ?? undefined;
  await until(() => state() === "");
  await click(button(container, "send"));
  await until(() => state() === "Who?");
  await click(button(container, "respond"));
  await until(() => state() === "");
  await until(() => JSON.stringify(agents[0]?.seen ?? []).includes("Ann"));
  await click(button(container, "send"));
  await until(() => state() === "Who?");
  await click(button(container, "cancel"));
  await until(() => state() === "");
});

it("opens a session again after a failure, and closes it", async () => {
  let fails = true;
  const script = agentScript()
    .initialize({ agentCapabilities: { sessionCapabilities: { close: {} } } })
    .on("session/new", () => {
      if (fails) throw new RpcError(-32_603, "The agent is busy.");
      return { sessionId: "s1" };
    })
    .on("session/close", {});
  const { store, agents } = scripted(script);
  function Shows(): ReactElement {
    const { status, retry, close } = useSession(request);
    return (
      <button type="button" onClick={() => (status === "ready" ? void close() : retry())}>
        {status}
      </button>
    );
  }
  const { container } = await render(
    <AgentProvider store={store}>
      <Shows />
    </AgentProvider>,
  );
  await until(() => container.textContent === "failed");
  fails = false;
  await click(button(container, "failed"));
  await until(() => container.textContent === "ready");
  await click(button(container, "ready"));
  await until(() => count(agents, "session/close") === 1);
  expect(container.textContent).toBe("idle");
});

it("opens a session again with the next connection, unless the session was closed", async () => {
  let fails = true;
  const script = agentScript();
  const agents: ReturnType<typeof script.inMemory>[] = [];
  const store = createAgentStore(() => {
    if (fails) throw new Error("no such agent");
    const agent = script.inMemory();
    agents.push(agent);
    return agent.transport;
  });
  function Shows(): ReactElement {
    const { status, reconnect } = useAgent();
    const { status: sessionStatus, close } = useSession(request);
    return (
      <>
        <button type="button" onClick={reconnect}>
          reconnect
        </button>
        <button type="button" onClick={() => void close()}>
          close
        </button>
        <p>{`${status} ${sessionStatus}`}</p>
      </>
    );
  }
  const { container } = await render(
    <AgentProvider store={store}>
      <Shows />
    </AgentProvider>,
  );
  const state = (): string | undefined => container.querySelector("p")?.textContent ?? undefined;
  await until(() => state() === "failed failed");
  fails = false;
  await click(button(container, "reconnect"));
  await until(() => state() === "ready ready");
  await act(async () => agents[0]?.break(new Error("cable cut")));
  await until(() => state() === "closed idle");
  await click(button(container, "reconnect"));
  await until(() => state() === "ready ready");
  await click(button(container, "close"));
  await until(() => state() === "ready idle");
  await act(async () => agents[1]?.break(new Error("cable cut")));
  await until(() => state() === "closed idle");
  await click(button(container, "reconnect"));
  await until(() => state()?.startsWith("ready") === true);
  expect(state()).toBe("ready idle");
  expect(count(agents, "session/new")).toBe(2);
  await store.close();
});
