import type { PromptResult } from "@acp-kit/agent";
import { hasCapability } from "@acp-kit/protocol";
import type { EverythingCommand } from "./command.js";
import { echo } from "./commands/echo.js";
import type { Scene } from "./scene.js";

/** Finds the command of a prompt: `/name …`, or only the name. Any other text is echoed. */
export function commandOf(
  text: string,
  commands: readonly EverythingCommand[],
): { command: EverythingCommand; args: string } {
  const [, slash = "", word = "", args = ""] = /^\s*(\/?)([\w-]+)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = commands.find(({ name }) => name === word.toLowerCase());
  if (command !== undefined && (slash !== "" || args === "")) return { command, args: args.trimEnd() };
  return { command: echo, args: "" };
}

/** Runs a command, or says which capability the client would need for it. */
export async function play(command: EverythingCommand, scene: Scene): Promise<PromptResult> {
  const { needs, name } = command;
  if (needs !== undefined && !hasCapability(scene.turn.client.capabilities, needs)) {
    await scene.say(`/${name} needs ${needs}, which this client did not advertise.`);
    return "end_turn";
  }
  return command.play(scene);
}
