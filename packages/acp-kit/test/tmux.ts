import { execFile, execFileSync, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { vi } from "vitest";

const run = promisify(execFile);

/** A real terminal, as a user sees it. It has no events for its content, so its screen is polled until the expected text is there. */
export interface Terminal {
  /** Presses keys, as tmux names them. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types text, as it is. */
  type(text: string): Promise<void>;
  /** Pastes text, as terminals do that mark what is pasted. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** What is on the screen, with colours if they are wanted. */
  screen(colours?: boolean): Promise<string>;
  /** What is on the screen, and what has scrolled by. */
  all(): Promise<string>;
  /** Resolves with the screen once it has this; rejects with the screen when it doesn't come to that. */
  until(wanted: string | RegExp): Promise<string>;
  close(): Promise<void>;
}

/** Why there can be no terminal here; `undefined` when there can. */
export function noTmux(): string | undefined {
  try {
    execFileSync("tmux", ["-V"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "tmux is not installed";
  }
}

/** Throws while processes of a session run. */
function expectEnded(session: string): void {
  const { stdout } = spawnSync("ps", ["-o", "stat=,args=", "-s", session], { encoding: "utf8" });
  const running = stdout.split("\n").filter((line) => line !== "" && !line.startsWith("Z"));
  if (running.length > 0) throw new Error(`Still running in the terminal: ${running.join("; ")}`);
}

let count = 0;

/** Opens a terminal with a command in it. What the command leaves stays on the screen. */
export async function openTerminal(
  command: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly columns?: number;
    readonly rows?: number;
  },
): Promise<Terminal> {
  count += 1;
  const server = ["-L", `acp-kit-test-${process.pid}-${count}`];
  const tmux = async (...words: readonly string[]): Promise<string> =>
    (await run("tmux", [...server, ...words])).stdout;
  const { cwd, env, columns = 80, rows = 24 } = options;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const line = ["env", ...variables, ...command].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const size = ["-x", String(columns), "-y", String(rows)];
  await run("tmux", [
    ...server,
    "-f",
    "/dev/null",
    "new-session",
    "-d",
    ...size,
    "-c",
    cwd,
    `${line}; echo "left with $?"; cat`,
  ]);
  const screen = (colours = false): Promise<string> =>
    tmux("capture-pane", "-p", ...(colours ? ["-e"] : []), "-t", "0");
  return {
    screen,
    all: () => tmux("capture-pane", "-p", "-S", "-5000", "-t", "0"),
    press: async (...keys) => void (await tmux("send-keys", "-t", "0", ...keys)),
    type: async (text) => void (await tmux("send-keys", "-t", "0", "-l", text)),
    async paste(text) {
      await tmux("set-buffer", text);
      await tmux("paste-buffer", "-p", "-t", "0");
    },
    resize: async (width, height) =>
      void (await tmux("resize-window", "-t", "0", "-x", String(width), "-y", String(height))),
    until: (wanted) =>
      vi.waitFor(
        async () => {
          const shown = await screen();
          if (typeof wanted === "string" ? shown.includes(wanted) : wanted.test(shown)) return shown;
          throw new Error(`The screen doesn't have ${wanted}:\n${shown}`);
        },
        { timeout: 20_000, interval: 50 },
      ),
    close: async () => {
      const session = await tmux("list-panes", "-F", "#{pane_pid}").catch(() => "");
      await tmux("kill-server").catch(() => {});
      // The terminal is gone; its programs receive the signal, and may still write.
      if (session !== "") await vi.waitFor(() => expectEnded(session.trim()), { timeout: 20_000, interval: 20 });
    },
  };
}
