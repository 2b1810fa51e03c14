import { invalidParams, isDeeperThan, type RpcError } from "@acp-kit/agent";
import { isStorable } from "./storable-text.js";

/** The maximum length of a request's values that are stored or looked up: more than any client needs, and little enough to copy, compare and send back. */
export const requestLimits = {
  /** UTF-16 units of a session's id. */
  sessionIdLength: 1_024,
  /** UTF-16 units of a path. Windows allows the longest. */
  pathLength: 32_767,
  additionalDirectories: 1_000,
  /** UTF-16 units of a cursor. Stores of applications define their own. */
  cursorLength: 4_096,
  /** Maximum nesting of a prompt, its own array included. A deeper one might not be serialised and parsed again. */
  promptDepth: 200,
} as const;

interface SessionRequest {
  readonly sessionId?: string;
  readonly cwd?: string | null | undefined;
  readonly additionalDirectories?: readonly string[] | null | undefined;
  readonly cursor?: string | null | undefined;
  readonly prompt?: readonly unknown[];
}

/**
 * Refuses invalid values before a handler runs.
 *
 * @throws {RpcError} `-32602`, which names the member and never repeats its value.
 */
export function checkRequest({ sessionId, cwd, additionalDirectories, cursor, prompt }: SessionRequest): void {
  if (sessionId != null) checkText("sessionId", sessionId, requestLimits.sessionIdLength);
  if (cwd != null) checkText("cwd", cwd, requestLimits.pathLength);
  if (cursor != null) checkText("cursor", cursor, requestLimits.cursorLength);
  const directories = additionalDirectories ?? [];
  if (directories.length > requestLimits.additionalDirectories)
    throw refused("additionalDirectories", `more than ${requestLimits.additionalDirectories} entries`);
  for (const directory of directories) checkText("additionalDirectories", directory, requestLimits.pathLength);
  if (prompt !== undefined && isDeeperThan(prompt, requestLimits.promptDepth))
    throw refused("prompt", `nested more than ${requestLimits.promptDepth} deep`);
}

function checkText(member: string, text: string, maxLength: number): void {
  if (text.length > maxLength) throw refused(member, `longer than ${maxLength} characters`);
  if (!isStorable(text)) throw refused(member, "not well-formed Unicode, or holds a NUL");
}

function refused(member: string, why: string): RpcError {
  return invalidParams(`Invalid params: ${member}: ${why}`, { member });
}
