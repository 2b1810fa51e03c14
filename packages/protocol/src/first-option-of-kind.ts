import type { PermissionOption, PermissionOptionKind } from "@acp-kit/types";

/** The words of options that do more than reject one tool call. */
const harsh = /abort|cancel|stop|quit|interrupt|always|never/i;

/** Returns the first option of a kind. Among rejections, it prefers one that only rejects the tool call. */
export function firstOptionOfKind(
  options: readonly PermissionOption[],
  kind: PermissionOptionKind,
): PermissionOption | undefined {
  const fitting = options.filter((option) => option.kind === kind);
  if (!kind.startsWith("reject")) return fitting[0];
  return fitting.find(({ optionId, name }) => !harsh.test(`${optionId} ${name}`.slice(0, 500))) ?? fitting[0];
}
