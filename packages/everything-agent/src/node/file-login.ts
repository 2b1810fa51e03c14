import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoginState } from "../login.js";

/** Stores the login state in a folder, so that it survives the process. */
export function fileLogin(directory: string): LoginState {
  const path = join(directory, "logged-in");
  return {
    isLoggedIn: () => existsSync(path),
    setLoggedIn(loggedIn) {
      mkdirSync(directory, { recursive: true });
      if (loggedIn) writeFileSync(path, "", { mode: 0o600 });
      else rmSync(path, { force: true });
    },
  };
}
