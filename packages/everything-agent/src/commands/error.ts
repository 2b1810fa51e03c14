import { RpcError } from "@acp-kit/agent";
import type { EverythingCommand } from "../command.js";

/** Fails the turn: with an error of the agent's choice, or because a handler threw. */
export const error: EverythingCommand = {
  name: "error",
  description: "Fail the turn with this error code; without a code, fail as a handler that throws",
  hint: "[code]",
  play(scene) {
    const code = Number.parseInt(scene.args, 10);
    if (Number.isNaN(code)) throw new Error("This message and its stack stay with the agent");
    throw new RpcError(code, "You asked for this error", { data: { asked: code } });
  },
};
