import { ErrorCode, invalidParams, RpcError, resourceNotFound } from "@acp-kit/protocol";
import { shorten } from "@acp-kit/protocol/internal";
import { isProcessError } from "@acp-kit/stdio/node";
import { badCwd, type HeldCwd } from "./terminal-cwd.js";

/** Converts the error of a failed start to an error for the agent. */
export function explainStart(error: unknown, command: string, cwd: Pick<HeldCwd, "path" | "realPath">): unknown {
  if (!isProcessError(error)) return error; // an invalid option of the application
  const { code, searched, cause } = error;
  const data = { command: shorten(command), reason: code, ...(searched && { searched }) };
  if (code === "not_found") return resourceNotFound(`command ${shorten(command)}`, data);
  if (code === "bad_cwd") return badCwd(cwd.realPath);
  const message = shorten(error.message.replaceAll(cwd.path, cwd.realPath), 1_000);
  const reason = (cause as { code?: unknown } | undefined)?.code;
  if (code === "not_executable" || reason === "E2BIG" || reason === "ENAMETOOLONG")
    return invalidParams(`Invalid params: command: ${message}`, data);
  return new RpcError(ErrorCode.internalError, message, { data, cause: error });
}
