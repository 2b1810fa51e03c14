import type { ToolCallHandle, Turn } from "@acp-kit/agent";
import type { EverythingCommand } from "../command.js";
import { pause } from "../pause.js";
import { countOf } from "./count-of.js";

/** The number of steps that the user doesn't give. */
const STEPS = 3;

/**
 * Detaches a tool call, which continues when the turn has ended, and reports its end as work that no prompt has
 * requested. A client of version 2 lists the call, and can cancel it.
 */
export const background: EverythingCommand = {
  name: "background",
  description: "Let a tool call of the given number of steps continue after the turn, and report its end by itself",
  hint: "[steps]",
  async play(scene) {
    const steps = countOf(scene.args, { fallback: STEPS, most: 3_600 });
    const { turn, paceMs } = scene;
    const call = turn.toolCall({
      toolCallId: scene.callId(),
      kind: "execute",
      title: "Build in the background",
      status: "in_progress",
    });
    const stop = new AbortController();
    call.detach({ cancel: () => stop.abort() });
    await scene.sendText("The build continues when this turn has ended.");
    const messageId = scene.messageId();
    void build(call, { steps, paceMs, signal: stop.signal })
      .then((result) => report(turn, result, messageId))
      .catch(() => {}); // the session was closed meanwhile
  },
};

async function build(
  call: ToolCallHandle,
  { steps, paceMs, signal }: { readonly steps: number; readonly paceMs: number; readonly signal: AbortSignal },
): Promise<string> {
  try {
    for (let step = 1; step <= steps; step += 1) {
      await pause(paceMs, signal);
      await call.update({ title: `Build in the background: step ${step} of ${steps}` });
    }
    await call.complete();
    return "The build has ended.";
  } catch (error) {
    if (!signal.aborted) throw error;
    await call.cancel();
    return "The build was cancelled.";
  }
}

async function report(turn: Turn, result: string, messageId: string): Promise<void> {
  await turn.work(async (work) => {
    await work.message(result, { messageId });
  });
}
