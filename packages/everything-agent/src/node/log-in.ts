import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import type { LoginState } from "../login.js";

/**
 * Asks the user in the terminal whether to log in. If the user agrees, stores this in `login` and resolves with `true`.
 */
export async function logIn(login: LoginState): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stdout });
  // The end of the input counts as "no".
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("no")));
  const answer = await Promise.race([terminal.question("Log in to the everything agent? [y/N] "), closed]);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) return false;
  login.setLoggedIn(true);
  stdout.write("You are logged in.\n");
  return true;
}
