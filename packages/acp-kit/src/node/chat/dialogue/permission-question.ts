import type { PermissionAnswer, PermissionQuestion } from "@acp-kit/client";
import type { PermissionOption } from "@acp-kit/types";
import { cleanLine } from "../text/clean.js";
import type { Paint } from "../text/paint.js";
import { shortPath, shortTitle } from "../view/short-path.js";
import type { Asker, Choice } from "./question.js";

const keys: Readonly<Record<string, string>> = {
  allow_once: "y",
  allow_always: "a",
  reject_once: "n",
  reject_always: "d",
};

/**
 * Assigns a key to each option. The first option of each kind gets a letter (`y`, `a`, `n`, `d`); further options of a
 * kind get numbers.
 */
export function permissionChoices(options: readonly PermissionOption[]): Choice[] {
  const taken = new Set<string>();
  return options.map(({ optionId, name, kind }, index) => {
    const own = keys[kind];
    const key = own !== undefined && !taken.has(own) ? own : String(index + 1);
    taken.add(key);
    return { key, label: cleanLine(name) || kind, value: optionId };
  });
}

/** Prompts the user whether a tool call may run. If the user selects no option, the tool call is rejected. */
export async function askPermission(
  { request, options }: PermissionQuestion,
  {
    asker,
    paint,
    cwd,
    signal,
  }: { readonly asker: Asker; readonly paint: Paint; readonly cwd: string; readonly signal: AbortSignal },
): Promise<PermissionAnswer> {
  const { toolCallId, title, locations } = request.toolCall;
  const name = shortTitle(cleanLine(title ?? ""), cwd) || cleanLine(toolCallId);
  const places = (locations ?? [])
    .map(({ path }) => shortPath(cleanLine(path), cwd))
    .filter((path) => !name.includes(path));
  const where = places.length > 0 ? paint.dim(`  ${places.slice(0, 3).join(", ")}`) : "";
  const lines = [`${paint.yellow("?")} ${paint.bold(name)}${where}`];
  const optionId = await asker.ask({ lines, choices: permissionChoices(options), signal });
  return optionId === undefined ? "reject" : { outcome: "selected", optionId };
}
