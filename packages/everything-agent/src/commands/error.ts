import { RpcError } from "@acp-kit/agent";
import type { EverythingCommand } from "../command.js";

/** Fails the turn: with an error of the agent's choice, or because a handler threw. */
export const error: EverythingCommand = {
  name: "error",
  description: "Fail the turn with that error code, or, without one, as a crash whose details stay here",
  hint: "[code]",
  play(scene) {
    const code = Number.parseInt(scene.args, 10);
    if (Number.isNaN(code)) throw new Error("This message and its stack stay with the agent");
    throw new RpcError(code, "You asked for this error", { data: { asked: code } });
  },
};
