import { invalidParams, type RpcError } from "@acp-kit/agent";
import { isDeeperThan } from "@acp-kit/protocol/internal";
import { isStorable } from "./storable-text.js";

/** The limits of those values in a request that a store stores or looks up. */
export const requestLimits = {
  /** The maximum length of a session id, in UTF-16 units. */
  sessionIdLength: 1_024,
  /** The maximum length of a path, in UTF-16 units. Windows allows the longest paths. */
  pathLength: 32_767,
  additionalDirectories: 1_000,
  /** The maximum length of a cursor, in UTF-16 units: more than here, for other stores. */
  cursorLength: 4_096,
  /**
   * The maximum nesting depth of a prompt. The prompt is an array, which counts as the first level. A deeper prompt
   * might not survive serializing and parsing.
   */
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
 * Refuses invalid values of a request before a handler runs.
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
    throw refused("prompt", `the value is nested more than ${requestLimits.promptDepth} levels deep`);
}

function checkText(member: string, text: string, maxLength: number): void {
  if (text.length > maxLength) throw refused(member, `longer than ${maxLength} characters`);
  if (!isStorable(text)) throw refused(member, "the value is not well-formed Unicode, or contains NUL");
}

function refused(member: string, why: string): RpcError {
  return invalidParams(`Invalid params: ${member}: ${why}`, { member });
}
