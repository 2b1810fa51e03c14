import type { PromptResponse } from "@acp-kit/types";
import { describe, expect, test, vi } from "vitest";
import { scripted } from "../../test/scripted-agent.js";

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
