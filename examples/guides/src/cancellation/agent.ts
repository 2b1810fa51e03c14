import { setTimeout as sleep } from "node:timers/promises";
import { type Agent, createAgent } from "@acp-kit/agent";

// #region agent
export const agent: Agent = createAgent({
  info: { name: "patient", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  async prompt(turn) {
    const call = turn.toolCall({ kind: "fetch", title: "Wait for something", status: "in_progress" });
    await sleep(60_000, undefined, { signal: turn.signal }); // rejects when the turn is cancelled
    await call.complete();
  },
});
// #endregion agent

// #region cleanup
export const careful: Agent = createAgent({
  info: { name: "careful", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  async prompt(turn) {
    try {
      await sleep(60_000, undefined, { signal: turn.signal });
    } finally {
      if (turn.signal.aborted) await turn.message("I stopped half-way; nothing was changed.");
    }
  },
});
// #endregion cleanup

// #region forgetful
/** Awaits no update, but every update is still sent before the turn's response. */
export const forgetful: Agent = createAgent({
  info: { name: "forgetful", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  async prompt(turn) {
    for (const word of ["one ", "two ", "three"]) void turn.message(word);
  },
});
// #endregion forgetful
