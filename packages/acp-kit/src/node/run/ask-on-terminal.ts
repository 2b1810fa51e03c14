import { createInterface } from "node:readline";
import type { IncomingRequestPermissionRequest, PermissionOption } from "@acp-kit/types";
import { cleanLine } from "../chat/text/clean.js";
import type { Host } from "../host.js";
import type { PromptUser } from "./permission-policy.js";

/**
 * Creates a function that prompts the user for permissions, one question after the other. It uses standard error, because standard output is for the
 * result. The function resolves with `undefined` if standard input or standard error is not a terminal, if the user enters an empty
 * line, and at the end of the input.
 *
 * @param title returns the title of a request.
 * @param onNoTerminal called instead of a prompt if there is no terminal.
 */
export function askOnTerminal(
  { stdin, stderr }: Host,
  title: (request: IncomingRequestPermissionRequest) => string,
  onNoTerminal: () => void,
): PromptUser {
  let last: Promise<unknown> = Promise.resolve();
  if (!stdin.isTTY || !stderr.isTerminal) {
    return async () => {
      onNoTerminal();
      return undefined;
    };
  }
  return (request, signal) => {
    const answer = last.then(() => ask(request, signal));
    last = answer.catch(() => {});
    return answer;
  };

  async function ask(
    request: IncomingRequestPermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionOption | undefined> {
    if (signal.aborted) return undefined;
    const { options } = request;
    const { bold, dim } = stderr.colours;
    stderr.line(`\n${bold("Permission:")} ${cleanLine(title(request))}`);
    for (const { path, line } of request.toolCall.locations ?? [])
      stderr.line(dim(`  ${cleanLine(path)}${line ? `:${line}` : ""}`));
    options.forEach(({ name, kind }, index) => {
      stderr.line(`  ${bold(String(index + 1))}  ${cleanLine(name)} ${dim(`(${kind.replaceAll("_", " ")})`)}`);
    });
    const question = `Choose 1–${options.length}, or press Enter to cancel: `;
    stderr.write(question);
    const lines = createInterface({ input: stdin, signal });
    try {
      for await (const line of lines) {
        const chosen = options[Number(line.trim()) - 1];
        if (chosen !== undefined || line.trim() === "") return chosen;
        stderr.write(question);
      }
      return undefined;
    } finally {
      lines.close();
      stdin.pause();
    }
  }
}
