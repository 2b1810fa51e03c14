import { createInterface } from "node:readline";
import { permissionView } from "@acp-kit/client";
import { wrongKeyText } from "@acp-kit/client/internal";
import type { IncomingRequestPermissionRequest, PermissionOption } from "@acp-kit/types";
import { permissionChoices } from "../chat/dialogue/permission-question.js";
import { permissionText } from "../chat/dialogue/permission-text.js";
import { allKey, choiceOf } from "../chat/dialogue/question.js";
import { cleanLine } from "../chat/text/clean.js";
import { createPaint } from "../chat/text/paint.js";
import { askedBy } from "../chat/view/child-view.js";
import type { Host } from "../host.js";
import type { PromptContext, PromptUser } from "./permission-policy.js";

/** The maximum number of lines of a permission question's details. The user can print all of them. */
const maxLines = 40;

/**
 * Creates a function that prompts the user for permissions, one question after the other. It uses standard error,
 * because standard output is for the result. The function resolves with `undefined` if standard input or standard error
 * is not a terminal, if the user enters an empty line, and at the end of the input.
 *
 * @param cwd the working directory, omitted from paths.
 * @param onNoTerminal called instead of a prompt if there is no terminal.
 */
export function askOnTerminal({ stdin, stderr }: Host, cwd: string, onNoTerminal: () => void): PromptUser {
  let last: Promise<unknown> = Promise.resolve();
  if (!stdin.isTTY || !stderr.isTerminal) {
    return async () => {
      onNoTerminal();
      return undefined;
    };
  }
  return (request, context) => {
    const answer = last.then(() => ask(request, context));
    last = answer.catch(() => {});
    return answer;
  };

  async function ask(
    request: IncomingRequestPermissionRequest,
    { signal, session }: PromptContext,
  ): Promise<PermissionOption | undefined> {
    if (signal.aborted) return undefined;
    const { options } = request;
    const { bold, dim, enabled } = stderr.colours;
    const canvas = { columns: stderr.columns, paint: createPaint(enabled) };
    const { title, lines, all } = permissionText(permissionView(request), cwd, canvas, maxLines);
    const by = askedBy(session, request.sessionId);
    stderr.line(`\n${by === undefined ? "" : `${dim(by)} `}${bold("Permission:")} ${title}`);
    for (const line of lines) stderr.line(line);
    const choices = permissionChoices(options).map((choice, index) => ({ ...choice, value: String(index) }));
    for (const [index, { key, label }] of choices.entries()) {
      const kind = cleanLine(options[index]?.kind ?? "").replaceAll("_", " ");
      stderr.line(`  ${bold(key)}  ${label} ${dim(`(${kind})`)}`);
    }
    const question = `Choose ${choices.map(({ key }) => key).join(", ")}, or press Enter to reject: `;
    stderr.write(question);
    const entered = createInterface({ input: stdin, signal });
    try {
      for await (const line of entered) {
        const chosen = choiceOf(choices, line);
        if (chosen !== undefined || line.trim() === "") return chosen && options[Number(chosen.value)];
        if (all !== undefined && line.trim().toLowerCase() === allKey) for (const each of all()) stderr.line(each);
        else stderr.line(cleanLine(wrongKeyText(choices, line)));
        stderr.write(question);
      }
      return undefined;
    } finally {
      entered.close();
      stdin.pause();
    }
  }
}
