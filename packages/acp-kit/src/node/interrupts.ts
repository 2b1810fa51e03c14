import { onAbort } from "@acp-kit/protocol";
import { CommandFailure } from "./command-failure.js";
import { ExitCode } from "./exit-code.js";
import type { Host } from "./host.js";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What can end a command from outside, as signals to hand on. Dispose of it when the command is done. */
export interface Interrupts extends Disposable {
  /** Stop in good order: the first Ctrl-C, a signal, the time that is over, a reader that went away. The reason is a `CommandFailure`. */
  readonly stop: AbortSignal;
  /** Leave at once: the second one. */
  readonly leave: AbortSignal;
}

/**
 * Listens for Ctrl-C and its like, for `timeoutMs` to pass, and for the reader of standard output to go away.
 *
 * @param onStop told which of them it was, before `stop` aborts.
 */
export function listenForInterrupts(
  host: Host,
  {
    timeoutMs = 0,
    onStop,
  }: { readonly timeoutMs?: number | undefined; readonly onStop?: (why: CommandFailure) => void } = {},
): Interrupts {
  const stop = new AbortController();
  const leave = new AbortController();
  const end = (code: ExitCode, message: string): void => {
    if (stop.signal.aborted) return;
    const why = new CommandFailure(code, message);
    onStop?.(why);
    stop.abort(why);
  };
  const interrupted = (signal: string): void => {
    if (stop.signal.aborted) leave.abort(stop.signal.reason);
    else end(ExitCode.cancelled, `cancelled (${signal}); once more leaves at once`);
  };
  const readerGone = (): void => end(ExitCode.cancelled, "cancelled: nobody reads the output any more");

  for (const signal of signals) process.on(signal, interrupted);
  onAbort(host.stdout.readerGone, readerGone);
  const timer =
    timeoutMs === 0
      ? undefined
      : setTimeout(() => end(ExitCode.timeout, `timed out after ${timeoutMs / 1000} s`), timeoutMs);
  return {
    stop: stop.signal,
    leave: leave.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, interrupted);
      host.stdout.readerGone.removeEventListener("abort", readerGone);
    },
  };
}
