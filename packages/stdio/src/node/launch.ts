import type { LaunchContext } from "./spawn-failure.js";

/** What is really started. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already (Windows). */
  readonly verbatim?: boolean;
}

/** What to start for a command. Only Windows needs a look: its shims can't be started. */
export function resolveLaunch({ command }: LaunchContext, args: readonly string[]): Launch {
  return { file: command, args };
}
