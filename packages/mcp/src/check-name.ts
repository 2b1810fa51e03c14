import { InvalidOptionError } from "@acp-kit/jsonrpc";

/** Throws an error if a name of a server or a tool is not one that every agent accepts. */
export function checkName(functionName: string, option: string, name: unknown): void {
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name))
    throw new InvalidOptionError(functionName, option, "must be a name of 1 to 64 letters, digits, _ and -");
}
