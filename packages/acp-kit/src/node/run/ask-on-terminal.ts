import { createInterface } from "node:readline";
import type { IncomingRequestPermissionRequest, PermissionOption } from "@acp-kit/types";
import { cleanLine } from "../chat/text/clean.js";
import type { Host } from "../host.js";
import type { AskPerson } from "./permission-policy.js";

/**
 * Asks in the terminal, one question after the other: on standard error, since standard output is for the result. Without a terminal
 * on both ends nobody is asked, and nobody answered; an empty line, or the end of input, is no answer either.
 *
 * @param title what a request is about.
 * @param onNobody told, instead of asking, when there is no terminal.
 */
export function askOnTerminal(
  { stdin, stderr }: Host,
  title: (request: IncomingRequestPermissionRequest) => string,
  onNobody: () => void,
): AskPerson {
  let last: Promise<unknown> = Promise.resolve();
  if (!stdin.isTTY || !stderr.isTerminal) {
    return async () => {
      onNobody();
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
    const question = `Choose 1–${options.length}, or press Enter for none of them: `;
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
