// A temporary project, and the command that starts the agent.
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A project with a typo, a check that finds it, and a command that never ends. */
export interface Playground extends AsyncDisposable {
  readonly cwd: string;
  /** The command that starts the agent. The agent stores its sessions in the project's folder. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export async function playground(): Promise<Playground> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "acp-kit-ai-sdk-")));
  await writeFile(join(folder, "greeting.txt"), "Helo, world\n");
  await writeFile(
    join(folder, "check.mjs"),
    `import { readFileSync } from "node:fs";
process.exitCode = readFileSync("greeting.txt", "utf8").startsWith("Hello") ? 0 : 1;
console.log(process.exitCode === 0 ? "checked" : "still wrong");\n`,
  );
  await writeFile(join(folder, "wait.mjs"), 'console.log("waiting");\nsetInterval(() => {}, 1000);\n');
  return {
    cwd: folder,
    command: process.execPath,
    args: ["--import", import.meta.resolve("tsx"), fileURLToPath(new URL("./agent.ts", import.meta.url))],
    env: { ACP_SESSIONS: join(folder, "sessions.db") },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, maxRetries: 5 }),
  };
}
