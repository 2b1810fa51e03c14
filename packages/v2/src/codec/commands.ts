import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { isKnownAvailableCommand, isKnownAvailableCommandInput } from "@acp-kit/types/v2";
import type { Lost } from "./loss.js";
import { mapped } from "./objects.js";

/**
 * Converts commands of version 2, in which a command and its input have a `type`. Other types do not exist in version
 * 1.
 *
 * @see https://agentclientprotocol.com/protocol/v2/slash-commands
 */
export function commandsToV1(commands: readonly v2.IncomingAvailableCommand[], lost: Lost): v1.AvailableCommand[] {
  return mapped(commands, (command) => {
    if (!isKnownAvailableCommand(command)) {
      lost("command");
      return undefined;
    }
    const { type: _, input, ...rest } = command;
    if (input === undefined || input === null) return rest;
    if (!isKnownAvailableCommandInput(input)) {
      lost("command");
      return rest;
    }
    const { type: __, ...unstructured } = input;
    return { ...rest, input: unstructured };
  });
}

/** Converts commands of version 1. */
export function commandsToV2(commands: readonly v1.AvailableCommand[]): v2.AvailableCommand[] {
  return commands.map(({ input, ...rest }) => ({
    ...rest,
    type: "command",
    ...(input && { input: { ...input, type: "text" } }),
  }));
}
