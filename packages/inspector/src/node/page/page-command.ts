import type { AccessSetting, PageCommand } from "./protocol.js";

const modes: ReadonlySet<unknown> = new Set(["real", "refused", "manual"]);

/** Parses a command of the page. Returns `undefined` for any other text. */
export function readCommand(text: string): PageCommand | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const command = Object(value) as Readonly<Record<string, unknown>>;
  switch (command.do) {
    case "request":
      return typeof command.method === "string" ? (command as PageCommand) : undefined;
    case "check":
      return typeof command.number === "number" ? (command as PageCommand) : undefined;
    case "access": {
      const { files, terminals } = Object(command.setting) as Partial<AccessSetting>;
      return modes.has(files) && modes.has(terminals) ? (command as PageCommand) : undefined;
    }
    case "send":
    case "restart":
    case "stop":
      return command as PageCommand;
    default:
      return undefined;
  }
}
