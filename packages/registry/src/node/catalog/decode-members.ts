import { isJsonObject } from "@acp-kit/protocol/internal";
/** Reports that a part of a registry is ignored. */
export type Report = (path: string, message: string) => void;

/** Maximum length of a string, in UTF-16 units. */
export const maxTextLength = 8_192;
const maxWords = 256;

/** Returns whether a value is a string that is not blank, not too long, and has no NUL. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= maxTextLength && !value.includes("\0");
}

/** Returns whether a value is a list of arguments for a program. */
export function isArguments(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= maxWords && value.every(isWord);
}

/** Returns whether a value is an object of environment variables. */
export function isVariables(value: unknown): value is Readonly<Record<string, string>> {
  if (!isJsonObject(value)) return false;
  const pairs = Object.entries(value);
  return pairs.length <= maxWords && pairs.every(([name, text]) => /^[^=\0]{1,256}$/.test(name) && isWord(text));
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxTextLength && !value.includes("\0");
}
