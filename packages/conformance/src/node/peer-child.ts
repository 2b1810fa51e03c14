import { type StartChildOptions, startChild } from "@acp-kit/stdio/node";
import type { PeerExit, PeerProcess } from "../wire/peer-process.js";

/** How many characters of the process's standard error are kept. */
const STDERR_TAIL = 4_000;

/** How long `kill` waits after the end of the process's input, and after SIGTERM, in milliseconds. */
const grace = { exitGraceMs: 300, termGraceMs: 700 } as const;

/**
 * Starts a command that exchanges messages over its standard input and output. The command runs in its own process
 * group, and {@link PeerProcess.kill} ends the whole group.
 *
 * @throws {ProcessError} if the command can't be started.
 */
export function spawnPeer(options: StartChildOptions): Promise<PeerProcess> {
  return new Promise((resolve, reject) => {
    const child = startChild(options, reject);
    if (!child) return;
    const { stdin, stdout, stderr } = child.process;
    let tail = "";
    stderr.setEncoding("utf8").on("data", (text: string) => {
      tail = (tail + text).slice(-STDERR_TAIL);
    });
    stdin.on("error", () => {}); // the process has exited: `exited` resolves
    stdout.on("error", () => {});
    const outputEnd = new Promise<void>((resolve) => {
      stdout.once("close", resolve);
    });
    const exited = child.ended.then(async (): Promise<PeerExit> => {
      // Children of the process may keep its output open after its exit, so this waits at most 200 ms for the rest of
      // the output.
      await Promise.race([outputEnd, new Promise((resolve) => setTimeout(resolve, 200))]);
      const { exitCode, signal } = child.exit ?? { exitCode: null, signal: null };
      return { exitCode, signal, stderrTail: tail };
    });
    let ending: Promise<void> | undefined;
    resolve({
      write: (bytes) => void (stdin.writable && stdin.write(bytes)),
      endInput: () => void stdin.end(),
      onOutput: (listener) => void stdout.on("data", listener),
      exited,
      kill() {
        stdin.end();
        ending ??= child.end(grace);
        return ending;
      },
    });
  });
}
