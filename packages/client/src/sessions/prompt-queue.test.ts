import type { PromptResponse } from "@acp-kit/types";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { scripted } from "../../test/scripted-agent.js";
import type { TurnControl } from "../turn-control.js";
import { currentOf, idle, moved, type PromptPhase, type PromptState } from "./prompt-state.js";

const phases: readonly PromptPhase[] = ["preparing", "sending", "withdrawn", "running", "cancelling", "responded"];
const [first, second] = [{}, {}] as [TurnControl, TurnControl];

describe("the state of a session's prompts", () => {
  test("a turn that is not current changes nothing, in any phase", () => {
    for (const is of phases) for (const to of phases) expect(moved({ is, control: first }, second, to)).toBeUndefined();
    for (const to of phases) expect(moved(idle, first, to)).toBeUndefined();
  });

  test("in any order of events, a turn is sent once between two preparations and never runs again after its response", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...phases)), (events) => {
        let state: PromptState = { is: "preparing", control: first };
        const path: string[] = ["preparing"];
        for (const to of events) {
          const next = moved(state, first, to);
          if (next === undefined) continue;
          state = next;
          path.push(to);
          expect(currentOf(state) !== undefined).toBe(to !== "preparing" && to !== "responded");
        }
        const turns = path.join(" ").split("preparing").slice(1);
        for (const turn of turns)
          expect(turn.trim()).toMatch(/^(sending( withdrawn( cancelling)?| running( cancelling)?)?)?( ?responded)?$/);
      }),
    );
  });
});

describe("a prompt that is cancelled while it is sent", () => {
  const answering = (response: PromptResponse) => vi.fn(async () => response);

  test("turn.cancel-is-never-lost: by a subscriber of the transcript: it is not sent at all", async () => {
    const { connection, methods } = await scripted({ transcript: { schedule: (notify) => notify() } });
    const session = await connection.newSession({ cwd: "/" });
    session.transcript.subscribe(() => session.cancel());
    expect(await session.prompt("go").result).toEqual({ stopReason: "cancelled" });
    expect(methods()).not.toContain("session/prompt");
    expect(session).toMatchObject({ activity: "idle", turn: undefined });
    expect(session.transcript.snapshot).toMatchObject({ activity: "idle", turns: [{ stopReason: "cancelled" }] });
  });

  test("turn.cancel-is-never-lost: by a tap: session/cancel is sent after the prompt", async () => {
    const cancels: (() => void)[] = [];
    const prompt = answering({ stopReason: "cancelled" });
    const { connection, methods } = await scripted({
      agent: (peer) => peer.handle("session/prompt", prompt),
      tap({ direction, message }) {
        if (direction === "sent" && (message as { method?: unknown }).method === "session/prompt") cancels[0]?.();
      },
    });
    const session = await connection.newSession({ cwd: "/" });
    cancels.push(() => session.cancel());
    expect(await session.prompt("go").result).toEqual({ stopReason: "cancelled" });
    await vi.waitFor(() => expect(methods()).toContain("session/cancel"));
    expect(methods().slice(-2)).toEqual(["session/prompt", "session/cancel"]);
  });
});
