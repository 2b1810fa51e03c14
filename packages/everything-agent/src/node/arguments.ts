import { parseArgs } from "node:util";
import type { AgentOptions } from "@acp-kit/agent";

/** The action that the command line requests. */
export type Arguments =
  | { readonly run: "help" | "version" }
  | { readonly run: "login"; readonly store: string }
  | ({ readonly run: "serve" } & ServeArguments)
  | { readonly run: "fail"; readonly problem: string };

/** The options of the command line for serving the agent. */
export interface ServeArguments {
  readonly store: string | undefined;
  readonly auth: boolean;
  readonly pageSize: number | undefined;
  readonly paceMs: number | undefined;
  readonly concurrentPrompts: AgentOptions["concurrentPrompts"];
}

/** The text of `--help`, for the name of the command. */
export const usageOf = (name: string): string => `Usage: ${name} [options]

An agent without a model that shows every feature of the Agent Client Protocol. It uses standard
input and output: start it from a client, and send /help.

  --store DIR      keep sessions (and the login) in DIR, for the next process
  --auth           require a login
  --login          log in in this terminal and exit; needs --store
  --page-size N    sessions on a page of session/list (20)
  --pace MS        milliseconds between two steps of a command (20)
  --concurrent X   what happens to a prompt during a turn: queue (default), reject, merge
  --version        print the version
  --help           print this text
`;

/** Reads the command line. */
export function readArguments(args: readonly string[]): Arguments {
  try {
    const { values } = parseArgs({ args: [...args], options });
    if (values.help) return { run: "help" };
    if (values.version) return { run: "version" };
    if (values.login && values.store === undefined) throw new TypeError("--login needs --store DIR");
    if (values.login && values.store !== undefined) return { run: "login", store: values.store };
    return {
      run: "serve",
      store: values.store,
      auth: values.auth === true,
      pageSize: wholeNumber("--page-size", values["page-size"], 1),
      paceMs: wholeNumber("--pace", values.pace, 0),
      concurrentPrompts: oneOf("--concurrent", values.concurrent, ["queue", "reject", "merge"]),
    };
  } catch (error) {
    return { run: "fail", problem: (error as Error).message };
  }
}

const options = {
  store: { type: "string" },
  auth: { type: "boolean" },
  login: { type: "boolean" },
  "page-size": { type: "string" },
  pace: { type: "string" },
  concurrent: { type: "string" },
  version: { type: "boolean" },
  help: { type: "boolean" },
} as const;

function wholeNumber(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) < least)
    throw new TypeError(`${name} needs a whole number of ${least} or more`);
  return Number(text);
}

function oneOf<Word extends string>(name: string, text: string | undefined, words: readonly Word[]): Word | undefined {
  const word = words.find((word) => word === text);
  if (text !== undefined && word === undefined) throw new TypeError(`${name} needs one of ${words.join(", ")}`);
  return word;
}
