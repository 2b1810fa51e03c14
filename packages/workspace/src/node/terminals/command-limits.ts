import { invalidParams } from "@acp-kit/protocol";
import type { CreateTerminalRequest } from "@acp-kit/types";

/** Limits of the params of `terminal/create`. */
export interface CommandLimits {
  readonly maxCommandBytes: number;
  readonly maxArguments: number;
}

/**
 * Checks that a command with its arguments and variables can be passed to a program.
 *
 * @throws {RpcError} `-32602`, which names the member and never repeats its value.
 */
export function assertCommand({ command, args, env }: Pick<CreateTerminalRequest, "command" | "args" | "env">): void {
  if (command === "") throw invalid("command", "must name a program");
  if (command.includes("\0")) throw invalid("command", "contains NUL");
  if (args?.some((argument) => argument.includes("\0"))) throw invalid("args", "an argument contains NUL");
  for (const { name, value } of env ?? []) {
    if (name === "" || name.includes("=")) throw invalid("env", "a name is empty or contains an equals sign");
    if (name.includes("\0") || value.includes("\0")) throw invalid("env", "a variable contains NUL");
  }
}

/**
 * Checks the size of a command with its arguments and variables.
 *
 * @throws {RpcError} `-32602` when a limit is exceeded.
 */
export function assertCommandSize(
  { command, args, env }: Pick<CreateTerminalRequest, "command" | "args" | "env">,
  { maxCommandBytes, maxArguments }: CommandLimits,
): void {
  const count = (args?.length ?? 0) + (env?.length ?? 0);
  if (count > maxArguments) throw tooLarge(`more than ${maxArguments} arguments and variables`, maxArguments);
  let bytes = 0;
  for (const text of textsOf(command, args ?? [], env ?? [])) {
    bytes += Buffer.byteLength(text);
    if (bytes > maxCommandBytes) throw tooLarge(`more than ${maxCommandBytes} bytes`, maxCommandBytes);
  }
}

function* textsOf(
  command: string,
  args: readonly string[],
  env: readonly { readonly name: string; readonly value: string }[],
): Generator<string, void, undefined> {
  yield command;
  yield* args;
  for (const { name, value } of env) {
    yield name;
    yield value;
  }
}

function invalid(member: string, why: string): Error {
  return invalidParams(`Invalid params: ${member}: ${why}`, { member });
}

function tooLarge(what: string, limit: number): Error {
  return invalidParams(`Invalid params: command: ${what}`, { reason: "too_large", limit });
}
