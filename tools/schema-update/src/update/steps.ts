import { spawn } from "node:child_process";

/** The steps that must succeed after the new bytes are in place. */
export interface UpdateSteps {
  /** Writes the generated code. Rejects if the generator stops. */
  readonly generate: (root: string, signal: AbortSignal) => Promise<void>;
  /** Type-checks the workspace. Rejects on a type error. */
  readonly typecheck: (root: string, signal: AbortSignal) => Promise<void>;
}

/** A step that failed, with the end of its output. */
export class StepError extends Error {
  override readonly name = "StepError";
  readonly step: keyof UpdateSteps;
  /** Whether the user stopped the step. The schema is then not the cause. */
  readonly interrupted: boolean;

  constructor(step: keyof UpdateSteps, reason: string, interrupted = false) {
    super(`pnpm ${step} failed:\n${reason}`);
    this.step = step;
    this.interrupted = interrupted;
  }
}

/** Runs the workspace's own scripts. */
export const workspaceSteps: UpdateSteps = {
  generate: (root, signal) => run(root, "generate", signal),
  typecheck: (root, signal) => run(root, "typecheck", signal),
};

/** Runs a script of the workspace. Does not use `spawnSync`: while it blocks, this process can't handle Ctrl-C. */
function run(root: string, script: keyof UpdateSteps, signal: AbortSignal): Promise<void> {
  // pnpm sets a variable with its own path for the scripts that it runs. Without it, pnpm must be on the PATH.
  const pnpm = process.env.npm_execpath;
  const viaNode = pnpm !== undefined && /pnpm[^/\\]*\.c?js$/.test(pnpm);
  return new Promise((resolve, reject) => {
    const child = spawn(viaNode ? process.execPath : "pnpm", [...(viaNode ? [pnpm] : []), "--silent", script], {
      cwd: root,
      shell: !viaNode && process.platform === "win32",
      stdio: ["ignore", "pipe", "pipe"],
      signal,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("error", (error) => {
      // After an abort, this event comes before the process has ended. The error waits for its end, because its last
      // writes must not come after the restore.
      if (!signal.aborted) reject(new StepError(script, error.message));
    });
    child.on("close", (code) => {
      if (signal.aborted) reject(new StepError(script, "it was interrupted", true));
      else if (code === 0) resolve();
      else reject(new StepError(script, lastLines(output, 200)));
    });
  });
}

function lastLines(text: string, most: number): string {
  const lines = text.trimEnd().split("\n");
  return (lines.length > most ? [`… ${lines.length - most} lines above`, ...lines.slice(-most)] : lines).join("\n");
}
