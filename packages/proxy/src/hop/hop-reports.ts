import { type Diagnostic, isRpcError, type Message } from "@acp-kit/jsonrpc";
import type { DiagnosticListener } from "@acp-kit/jsonrpc/internal";
import { diagnosticReporter } from "@acp-kit/protocol/internal";

/** The number of methods whose dropped notifications are reported. */
const MAX_METHODS = 100;

/** Reports the diagnostics of one proxy. */
export class HopReports {
  readonly #proxy: string;
  readonly #diagnose: DiagnosticListener;
  readonly #dropped = new Set<string>();

  constructor(proxy: string, listener: DiagnosticListener | undefined) {
    this.#proxy = proxy;
    this.#diagnose = diagnosticReporter(listener);
  }

  report(code: string, message: string, details: Partial<Diagnostic> = {}): void {
    this.#diagnose({ code, message, ...details, data: { proxy: this.#proxy } });
  }

  /** Reports that an interceptor did not forward a notification, once for each method. */
  dropped(method: string): void {
    if (this.#dropped.has(method) || this.#dropped.size >= MAX_METHODS) return;
    this.#dropped.add(method);
    this.report("dropped_notification", `An interceptor dropped ${method}`, { method });
  }

  /** Reports that a message was dropped because its interceptor failed. */
  failed(message: Message, cause: unknown): void {
    const method = "method" in message ? message.method : "";
    const code = isRpcError(cause) && cause.code === -32602 ? "invalid_params" : "handler_failed";
    this.report(code, `The interceptor for ${method} failed, and the message was dropped`, { method, cause });
  }
}
