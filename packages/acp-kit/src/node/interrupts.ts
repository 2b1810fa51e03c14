import { onAbort } from "@acp-kit/protocol/internal";
import { CommandFailure } from "./command-failure.js";
import { outputFailureText } from "./error-text.js";
import { ExitCode } from "./exit-code.js";
import type { Host } from "./host.js";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Abort signals for the external events that end a command. Dispose of the object when the command is done. */
export interface Interrupts extends Disposable {
  /**
   * Aborts when the command must stop in order: at the first Ctrl-C or signal, the timeout, or when no more output can
   * be written. The reason is a `CommandFailure`.
   */
  readonly stop: AbortSignal;
  /** Aborts when the command must exit immediately: at the second Ctrl-C or signal. */
  readonly leave: AbortSignal;
}

/**
 * Listens for Ctrl-C and other signals, for the timeout, and for the end of standard output.
 *
 * @param onStop receives the reason before `stop` aborts, with advice to the user.
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
  const end = (code: ExitCode, message: string, advice = ""): void => {
    if (stop.signal.aborted) return;
    // Only now: the reason is also a part of reports, which are read later.
    onStop?.(new CommandFailure(code, `${message}${advice}`));
    stop.abort(new CommandFailure(code, message));
  };
  const interrupted = (signal: string): void => {
    if (stop.signal.aborted) leave.abort(stop.signal.reason);
    else end(ExitCode.cancelled, `cancelled (${signal})`, "; send the signal again to exit immediately");
  };
  const { closed } = host.stdout;
  const outputClosed = (): void => {
    const { failure } = host.stdout;
    if (failure === undefined) end(ExitCode.cancelled, "cancelled, because the reader closed the output pipe");
    else end(ExitCode.error, outputFailureText(failure));
  };

  for (const signal of signals) process.on(signal, interrupted);
  onAbort(closed, outputClosed);
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
      closed.removeEventListener("abort", outputClosed);
    },
  };
}
