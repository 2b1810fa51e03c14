import type { PromptResult } from "@acp-kit/agent";
import { hasCapability } from "@acp-kit/protocol";
import type { EverythingCommand } from "./command.js";
import { echo } from "./commands/echo.js";
import type { Scene } from "./scene.js";

/** Finds the command of a prompt: `/name …`, or only the name. For any other text it returns the command `echo`. */
export function commandOf(
  text: string,
  commands: readonly EverythingCommand[],
): { command: EverythingCommand; args: string } {
  const [, slash = "", word = "", args = ""] = /^\s*(\/?)([\w-]+)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = commands.find(({ name }) => name === word.toLowerCase());
  if (command !== undefined && (slash !== "" || args === "")) return { command, args: args.trimEnd() };
  return { command: echo, args: "" };
}

/** Runs a command, or sends a message that names the capability that the client lacks. */
export async function play(command: EverythingCommand, scene: Scene): Promise<PromptResult> {
  const { needs, name } = command;
  if (needs !== undefined && !hasCapability(scene.turn.client.capabilities, needs)) {
    await scene.sendText(`/${name} needs ${needs}, which this client did not advertise.`);
    return "end_turn";
  }
  return command.play(scene);
}
