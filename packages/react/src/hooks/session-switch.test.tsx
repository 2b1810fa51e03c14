import { RpcError } from "@acp-kit/client";
import { agentScript } from "@acp-kit/testing";
import type { ReactElement } from "react";
import { expect, it } from "vitest";
import { button, click, render, until } from "../../test/render.js";
import { scripted } from "../../test/scripted.js";
import { AgentProvider, type AgentStore, useOptions, useSession, useTurn } from "../index.js";

/** Renders a component for one of two sessions, and returns functions to select the session. */
async function shows(store: AgentStore, Shows: (props: { readonly of: string }) => ReactElement) {
  const page = (of: string): ReactElement => (
    <AgentProvider store={store}>
      <Shows of={of} />
    </AgentProvider>
  );
  const { container, render: again } = await render(page("first"));
  return { container, select: (of: string) => again(page(of)) };
}

it("shows the end of a turn only with the session of the turn, also if the turn ends while another session is shown", async () => {
  const endings = new Map<string, () => void>();
  const script = agentScript().onPrompt(async (turn) => {
    await new Promise<void>((resolve) => endings.set(turn.sessionId, resolve));
    if (turn.sessionId === "session-1") throw new RpcError(-32_603, "The model is not reachable");
  });
  const { store } = scripted(script);
  function Shows({ of }: { readonly of: string }): ReactElement {
    const { session } = useSession({ cwd: "/work", key: of });
    const { send, activity, stopReason, error } = useTurn(session);
    return (
      <>
        <button type="button" onClick={() => send("go")}>
          send
        </button>
        <p>{`${session?.sessionId} ${activity} ${stopReason} ${(error as Error | undefined)?.message}`}</p>
      </>
    );
  }
  const { container, select } = await shows(store, Shows);
  const text = (): string | null | undefined => container.querySelector("p")?.textContent;
  await until(() => text() === "session-1 idle undefined undefined");
  await click(button(container, "send"));
  await until(() => endings.has("session-1"));
  await select("second");
  await until(() => text() === "session-2 idle undefined undefined");
  await click(button(container, "send"));
  await until(() => endings.has("session-2"));
  endings.get("session-1")?.();
  endings.get("session-2")?.();
  await until(() => text() === "session-2 idle end_turn undefined");
  await select("first");
  await until(() => text()?.startsWith("session-1 idle") === true);
  expect(text()).toBe("session-1 idle undefined The model is not reachable");
});

it("shows the call of set that was the last one for the session", async () => {
  const settle: (() => void)[] = [];
  const modes = {
    currentModeId: "ask",
    availableModes: ["ask", "code", "plan"].map((id) => ({ id, name: id })),
  };
  let sessions = 0;
  const script = agentScript()
    .on("session/new", () => {
      sessions += 1;
      return { sessionId: `session-${sessions}`, modes };
    })
    .on("session/set_mode", async () => {
      const number = settle.length;
      await new Promise<void>((resolve) => settle.push(resolve));
      if (number === 0) throw new RpcError(-32_603, "Refused");
      return {};
    });
  const { store } = scripted(script);
  function Shows({ of }: { readonly of: string }): ReactElement {
    const { session } = useSession({ cwd: "/work", key: of });
    const { pending, error, set } = useOptions(session);
    return (
      <>
        <button type="button" onClick={() => void set("mode", "code")}>
          code
        </button>
        <button type="button" onClick={() => void set("mode", "plan")}>
          plan
        </button>
        <p>{`${session?.sessionId} ${pending} ${(error as Error | undefined)?.message}`}</p>
      </>
    );
  }
  const { container, select } = await shows(store, Shows);
  const text = (): string | null | undefined => container.querySelector("p")?.textContent;
  await until(() => text() === "session-1 undefined undefined");
  await click(button(container, "code"));
  await until(() => settle.length === 1);
  await select("second");
  await until(() => text() === "session-2 undefined undefined");
  await click(button(container, "plan"));
  await until(() => settle.length === 2);
  settle[0]?.();
  await select("first");
  await until(() => text() === "session-1 undefined Refused");
  await select("second");
  await until(() => text() === "session-2 mode undefined");
  settle[1]?.();
  await until(() => text() === "session-2 undefined undefined");
});
