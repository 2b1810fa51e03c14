import { spawn } from "node:child_process";
import type { LoginHandlers, LoginMethod } from "@acp-kit/client";
import type { AgentCommand } from "../../agent-target.js";
import { type AgentTarget, isRemote } from "../../agent-target.js";
import { cleanLine } from "../text/clean.js";
import type { Paint } from "../text/paint.js";
import type { Asker } from "./question.js";

/** The dependencies of a login. */
export interface LoginSetting {
  readonly asker: Asker;
  readonly paint: Paint;
  readonly agent: AgentTarget;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sets environment variables for later starts of the agent. */
  readonly setVariables: (variables: Readonly<Record<string, string>>) => void;
  /** Releases the terminal while `run` runs another program in it. Absent if there is no terminal. */
  readonly suspend?: (<Result>(run: () => Promise<Result>) => Promise<Result>) | undefined;
}

/**
 * Creates handlers for the three kinds of login: in the agent itself, by environment variables that the user enters, or
 * by a command in this terminal. A remote agent supports only the first kind, because its environment and its terminal
 * are on another machine.
 */
export function loginHandlers(setting: LoginSetting): LoginHandlers {
  const { asker, paint, agent, cwd, env, setVariables, suspend } = setting;
  const handlers = {
    async choose(methods) {
      const value = await asker.ask({
        lines: [
          `${paint.yellow("?")} ${paint.bold("The agent requires a login")}`,
          ...methods.map((each, index) => described(each, index, paint)),
        ],
        choices: methods.map(({ name }, index) => ({
          key: String(index + 1),
          label: cleanLine(name),
          value: String(index),
        })),
      });
      return value === undefined ? undefined : methods[Number(value)];
    },
    async environment({ variables, link }) {
      const values: Record<string, string> = {};
      for (const { name, label, secret, optional } of variables) {
        const lines = [`${paint.yellow("?")} ${paint.bold(cleanLine(label))} ${paint.dim(cleanLine(name))}`];
        if (link !== undefined) lines.push(paint.dim(`  ${cleanLine(link)}`));
        const check = (text: string): string | undefined =>
          text === "" && !optional ? "This variable is required." : undefined;
        const value = await asker.ask({ lines, secret, check });
        if (value === undefined) return false;
        if (value !== "") values[name] = value;
      }
      setVariables(values);
      return true;
    },
  } satisfies LoginHandlers;
  if (isRemote(agent)) return { choose: handlers.choose };
  if (suspend === undefined) return handlers;
  return {
    ...handlers,
    terminal: ({ args, env: own }) =>
      suspend(() => runInTerminal(agent, [...args], { cwd, env: { ...env, ...agent.env, ...own } })),
  };
}

function described({ name, description }: LoginMethod, index: number, paint: Paint): string {
  return `  ${paint.cyan(String(index + 1))} ${cleanLine(name)}${description ? paint.dim(`  ${cleanLine(description)}`) : ""}`;
}

/** Runs the agent's login command in this terminal. Resolves with `true` if the exit code is 0. */
function runInTerminal(
  { command, args }: AgentCommand,
  more: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string | undefined> },
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args, ...more], { ...options, stdio: "inherit" });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}
