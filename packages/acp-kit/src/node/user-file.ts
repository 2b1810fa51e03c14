import { readFileSync } from "node:fs";
import { usageFailure } from "./command-failure.js";

/**
 * Reads a text file that the user has named.
 *
 * @param what the name of the file in messages, such as `--config a.json`; by default its path.
 * @throws {CommandFailure} with the reason, if the file can't be read.
 */
export function readText(path: string, what: string = path): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    // Not after a colon: a redactor takes the text after `my.token:` for a secret.
    throw usageFailure(`Can't read ${what}, because ${fileReasonClause(cause)}`, { cause });
  }
}

/**
 * Parses the text of a JSON file that the user has named. Ignores a byte order mark.
 *
 * @throws {CommandFailure} with the place in the text. The message of the parser is not shown, because it quotes the
 * text, which may contain a secret.
 */
export function parseJson(
  text: string,
  what: string,
  parse: (text: string) => unknown = (json) => JSON.parse(json),
): unknown {
  const json = text.replace(/^\uFEFF/, "");
  try {
    return parse(json);
  } catch (cause) {
    const [, position] = /position (\d+)/.exec(cause instanceof Error ? cause.message : "") ?? [];
    const at = position === undefined ? "" : `, at ${placeOf(json, Number(position))}`;
    throw usageFailure(`${what}: the file is not valid JSON${at}.`, { cause });
  }
}

/** Returns the place of a character in a text, as editors show it. Node 20 reports only its position. */
function placeOf(text: string, position: number): string {
  const lines = text.slice(0, position).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** Returns the reason of an error of the file system, as a clause after `because`. It does not repeat the path. */
export function fileReasonClause(cause: unknown): string {
  const { code = "", message = String(cause) } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  return Object.hasOwn(reasons, code) ? (reasons[code] as string) : message;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission is denied.",
  EISDIR: "it is a folder.",
  ENOENT: "there is no such file.",
  ENOSPC: "the disk is full.",
  ENOTDIR: "a part of the path is not a folder.",
  EPERM: "permission is denied.",
  EROFS: "the file system is read-only.",
};
