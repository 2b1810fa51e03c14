// #region login
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { LoginHandlers, LoginMethod } from "@acp-kit/client";

type Choose = (methods: readonly LoginMethod[]) => Promise<LoginMethod | undefined>;

/**
 * Runs the login of the agent in a terminal. The client decides which program it starts; the agent can only add
 * arguments and variables.
 */
export function loginFor(command: string, args: readonly string[], choose: Choose): LoginHandlers {
  return {
    choose,
    async terminal(method) {
      const env = { ...process.env, ...method.env };
      const child = spawn(command, [...args, ...method.args], { env, stdio: "inherit" });
      const [code] = await once(child, "exit");
      return code === 0;
    },
  };
}
// #endregion login
