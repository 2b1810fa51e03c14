import { spawn } from "node:child_process";

/** What has to succeed after the new bytes are in place. */
export interface UpdateSteps {
  /** Writes the generated code. Rejects when the generator stops. */
  readonly generate: (root: string, signal: AbortSignal) => Promise<void>;
  /** Type-checks the workspace. Rejects when something doesn't fit any more. */
  readonly typecheck: (root: string, signal: AbortSignal) => Promise<void>;
}

/** A step that failed, with the end of what it printed. */
export class StepError extends Error {
  override readonly name = "StepError";
  readonly step: keyof UpdateSteps;
  /** The user stopped it; nothing is wrong with the schema. */
  readonly interrupted: boolean;
  /** Places in hand-written code that the new schema leaves behind, one line each. */
  readonly places: readonly string[];

  constructor(step: keyof UpdateSteps, reason: string, interrupted = false, places: readonly string[] = []) {
    super(`pnpm ${step} failed:\n${reason}`);
    this.step = step;
    this.interrupted = interrupted;
    this.places = places;
  }

  /** The same failure with the places to look at. */
  at(places: readonly string[]): StepError {
    return new StepError(this.step, this.message.slice(this.message.indexOf("\n") + 1), this.interrupted, places);
  }
}

/** The workspace's own scripts. */
export const workspaceSteps: UpdateSteps = {
  generate: (root, signal) => run(root, "generate", signal),
  typecheck: (root, signal) => run(root, "typecheck", signal),
};

/** Not spawnSync: while that blocks, Ctrl-C is not handled, and a parent process may give up. */
function run(root: string, script: keyof UpdateSteps, signal: AbortSignal): Promise<void> {
  // pnpm names itself to the scripts it runs; standing alone, it has to be on the PATH.
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
      // An abort is reported before the process has gone; what it still writes must not come after the restore.
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
