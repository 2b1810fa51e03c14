import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { toolCallToApi } from "../codec/api-tool-call.js";
import { commandsToV1 } from "../codec/commands.js";
import { modeOptionOf } from "../codec/modes.js";
import { present } from "../codec/objects.js";
import { optionsToApi } from "./config-options.js";

/**
 * Converts the result that opens a session. The commands that it may have are an update of version 1.
 */
export function openedToApi({
  configOptions,
  availableCommands,
  ...rest
}: v2.IncomingResumeSessionResponse): v1.ResumeSessionResponse & { availableCommands?: v1.AvailableCommand[] } {
  const mode = configOptions && modeOptionOf(configOptions);
  return {
    ...rest,
    ...(mode && { modes: mode.modes }),
    ...(configOptions && { configOptions: optionsToApi(configOptions) }),
    ...(availableCommands && { availableCommands: commandsToV1(availableCommands, () => {}) }),
  };
}

/**
 * Converts a permission request. In version 1 its subject is always a tool call, so one is made for a request about
 * something else. `title` and `description` of version 2 stay members of the request.
 *
 * @param newId the id of the tool call for a request without one.
 */
export function permissionToApi(
  params: v2.IncomingRequestPermissionRequest,
  newId: string,
): v1.RequestPermissionRequest {
  const { title, description, subject, ...rest } = params;
  return { ...rest, title, ...present({ description }), toolCall: toolCallOf(params, newId) } as never;
}

function toolCallOf({ title, subject, description }: v2.IncomingRequestPermissionRequest, newId: string): object {
  if (subject?.type === "tool_call") return toolCallToApi((subject as v2.IncomingToolCallPermissionSubject).toolCall);
  const details = description && [{ type: "content", content: { type: "text", text: description } }];
  const { command, cwd, toolCallId } = (
    subject?.type === "command" ? subject : {}
  ) as Partial<v2.CommandPermissionSubject>;
  return {
    toolCallId: toolCallId ?? newId,
    title,
    ...(command !== undefined && { kind: "execute", rawInput: { command, cwd } }),
    ...(details && { content: details }),
  };
}
