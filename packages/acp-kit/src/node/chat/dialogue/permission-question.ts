import { type PermissionQuestion, permissionKeys, permissionView, type RuleDecision } from "@acp-kit/client";
import type { PermissionOption } from "@acp-kit/types";
import type { Canvas } from "../text/canvas.js";
import { cleanLine } from "../text/clean.js";
import { askedBy } from "../view/child-view.js";
import { permissionText } from "./permission-text.js";
import type { Asker, Choice } from "./question.js";

/** Returns the options of a permission request as choices of a question. */
export function permissionChoices(options: readonly PermissionOption[]): Choice[] {
  return permissionKeys(options).map(({ key, option: { optionId, name, kind } }) => ({
    key,
    label: cleanLine(name) || cleanLine(kind),
    value: optionId,
  }));
}

/** The dependencies of {@link askPermission}. */
export interface PermissionSetting {
  readonly asker: Asker;
  readonly canvas: Canvas;
  readonly cwd: string;
  /** The maximum number of lines of details. The user can print all of them. */
  readonly maxLines: number;
  readonly signal: AbortSignal;
}

/** Prompts the user whether a tool call may run. If the user selects no option, the tool call is rejected. */
export async function askPermission(
  { request, options, session }: PermissionQuestion,
  { asker, canvas, cwd, maxLines, signal }: PermissionSetting,
): Promise<RuleDecision> {
  const { title, lines, all } = permissionText(permissionView(request), cwd, canvas, maxLines);
  const { paint } = canvas;
  const by = askedBy(session, request.sessionId);
  const optionId = await asker.ask({
    lines: [...(by === undefined ? [] : [paint.dim(by)]), `${paint.yellow("?")} ${paint.bold(title)}`, ...lines],
    all,
    none: "reject",
    choices: permissionChoices(options),
    signal,
  });
  return optionId === undefined ? "reject" : { outcome: "selected", optionId };
}
