import { ErrorCode, invalidParams, RpcError, resourceNotFound } from "@acp-kit/protocol";
import { isProcessError } from "@acp-kit/stdio/node";

/** What the agent is told when its command can't be started: nothing is running, and there is no terminal. */
export function explainStart(error: unknown, command: string): unknown {
  if (!isProcessError(error)) return error;
  const { code, searched } = error;
  const data = { command, reason: code, ...(searched && { searched }) };
  if (code === "not_found") return resourceNotFound(`command ${command}`, data);
  if (code === "bad_cwd") return invalidParams("Invalid params: cwd: not a directory", data);
  if (code === "not_executable") return invalidParams(`Invalid params: command: ${error.message}`, data);
  return new RpcError(ErrorCode.InternalError, error.message, { data, cause: error });
}
