import { spawnSync } from "node:child_process";

/** What has to succeed after the new bytes are in place. */
export interface UpdateSteps {
  /** Writes the generated code. Throws when the generator stops. */
  readonly generate: (root: string) => void;
  /** Type-checks the workspace. Throws when something doesn't fit any more. */
  readonly typecheck: (root: string) => void;
}

/** A step that failed, with the end of what it printed. */
export class StepError extends Error {
  override readonly name = "StepError";
  readonly step: string;

  constructor(step: string, reason: string) {
    super(`${step} failed:\n${reason}`);
    this.step = step;
  }
}

/** The workspace's own scripts. */
export const workspaceSteps: UpdateSteps = {
  generate: (root) => run(root, "generate"),
  typecheck: (root) => run(root, "typecheck"),
};

function run(root: string, script: string): void {
  // pnpm names itself to the scripts it runs; standing alone, it has to be on the PATH.
  const pnpm = process.env.npm_execpath;
  const viaNode = pnpm !== undefined && /pnpm[^/\\]*\.c?js$/.test(pnpm);
  const command = viaNode ? process.execPath : "pnpm";
  const args = [...(viaNode ? [pnpm] : []), "--silent", script];
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    shell: !viaNode && process.platform === "win32",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw new StepError(`pnpm ${script}`, error.message);
  if (status !== 0) throw new StepError(`pnpm ${script}`, lastLines(`${stdout}\n${stderr}`, 30));
}

function lastLines(text: string, most: number): string {
  const lines = text.trimEnd().split("\n");
  return (lines.length > most ? [`… ${lines.length - most} lines above`, ...lines.slice(-most)] : lines).join("\n");
}
