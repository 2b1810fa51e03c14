import { RpcError } from "@acp-kit/agent";
import type { EverythingCommand } from "../command.js";

/** Fails the turn: with an `RpcError`, or with any other error, as a bug in a handler would. */
export const error: EverythingCommand = {
  name: "error",
  description: "Fail the turn with this error code; without a code, fail as a handler that throws",
  hint: "[code]",
  play(scene) {
    const code = Number.parseInt(scene.args, 10);
    if (Number.isNaN(code)) throw new Error("This message and its stack are not sent to the client");
    throw new RpcError(code, "You asked for this error", { data: { asked: code } });
  },
};
