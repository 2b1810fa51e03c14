import { execFile, execFileSync, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { vi } from "vitest";

const run = promisify(execFile);

/**
 * A real terminal, in tmux. tmux has no events for the content of the screen, so tests poll the screen until it has the
 * expected text.
 */
export interface Terminal {
  /** Presses keys, by their names in tmux. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types the text unchanged. */
  type(text: string): Promise<void>;
  /** Pastes text with bracketed paste. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Returns the content of the screen, on request with colours. */
  screen(colours?: boolean): Promise<string>;
  /** Returns the content of the screen and of the scrollback. */
  all(): Promise<string>;
  /** Resolves with the screen when it contains the text; rejects with the screen after 20 seconds. */
  until(wanted: string | RegExp): Promise<string>;
  close(): Promise<void>;
}

/** Returns the reason why no terminal can be opened; `undefined` if one can. */
export function noTmux(): string | undefined {
  try {
    execFileSync("tmux", ["-V"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "tmux is not installed";
  }
}

/** Throws if a process of the session still runs. */
function expectEnded(session: string): void {
  const { stdout } = spawnSync("ps", ["-o", "stat=,args=", "-s", session], { encoding: "utf8" });
  const running = stdout.split("\n").filter((line) => line !== "" && !line.startsWith("Z"));
  if (running.length > 0) throw new Error(`Still running in the terminal: ${running.join("; ")}`);
}

let count = 0;

/**
 * Opens a terminal and runs a command in it. The output of the command stays on the screen after the command has ended.
 */
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
      // The terminal has closed. Its programs receive `SIGHUP`, and may still write files before they end.
      if (session !== "") await vi.waitFor(() => expectEnded(session.trim()), { timeout: 20_000, interval: 20 });
    },
  };
}
