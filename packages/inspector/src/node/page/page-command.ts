import type { AccessSetting } from "../wire/local-access.js";

/** A command of the page. */
export type PageCommand =
  /** Sends a request with the next free id. */
  | { readonly do: "request"; readonly method: string; readonly params?: unknown }
  /** Sends any message as it is. */
  | { readonly do: "send"; readonly message: unknown }
  /** Asks what is wrong with a message before it leaves. */
  | { readonly do: "check"; readonly number: number; readonly message: unknown }
  | { readonly do: "access"; readonly setting: AccessSetting }
  /** Starts the agent again, and initializes it. */
  | { readonly do: "restart"; readonly initialize?: unknown }
  | { readonly do: "stop" };

const modes: ReadonlySet<unknown> = new Set(["real", "refused", "manual"]);

/** Reads a command; `undefined` if it is none. */
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
