import { isRpcError } from "@acp-kit/jsonrpc";
import { callQuietly } from "@acp-kit/jsonrpc/internal";
import { checkOptions } from "@acp-kit/protocol/internal";
import { type AcpProxy, createProxy } from "../create-proxy.js";
import type { AnyInterceptor } from "../interceptors.js";
import { MIDDLEWARE_VERSION } from "./version.js";

/** A message that passed a proxy of {@link logMessages}, or the response to one. */
export interface LoggedMessage {
  readonly type: "message" | "response";
  readonly from: "client" | "agent";
  readonly method: string;
  readonly sessionId: string | undefined;
  /** The time in milliseconds since 1970. */
  readonly time: number;
  /** The size of a message in bytes; `undefined` for responses. */
  readonly size: number | undefined;
  /** The time between a request and its response, in milliseconds; `undefined` for messages. */
  readonly durationMs: number | undefined;
  /** The code of an error response. */
  readonly errorCode: number | undefined;
  /** The params or the result, if the option `contents` is set. */
  readonly content: unknown;
}

/** Options of {@link logMessages}. */
export interface LogMessagesOptions {
  /** Whether entries contain params and results, with all secrets in them. The default is `false`. */
  readonly contents?: boolean;
}

/**
 * Creates an ACP proxy that logs each message and each response. It changes no message, and works with every version of
 * the protocol. Errors of `log` are ignored.
 *
 * @param log receives an entry when a message passes. It must not change the entry.
 * @throws {InvalidOptionError} when an option is invalid.
 */
export function logMessages(log: (entry: LoggedMessage) => unknown, options: LogMessagesOptions = {}): AcpProxy {
  checkOptions("logMessages", options, { contents: "value" });
  const { contents = false } = options;
  const intercept =
    (from: LoggedMessage["from"]): AnyInterceptor =>
    (message, next) => {
      const { method, session, size } = message;
      const time = Date.now();
      const base = { method, sessionId: session?.id };
      const write = (entry: Partial<LoggedMessage>): void =>
        callQuietly(() =>
          log({
            type: "message",
            from,
            time,
            size: undefined,
            durationMs: undefined,
            errorCode: undefined,
            content: undefined,
            ...base,
            ...entry,
          }),
        );
      write({ size, ...(contents && { content: message.params }) });
      const response = next();
      const responded = (entry: Partial<LoggedMessage>): void => {
        const now = Date.now();
        write({
          type: "response",
          from: from === "client" ? "agent" : "client",
          time: now,
          durationMs: now - time,
          ...entry,
        });
      };
      response.then(
        (result) => result !== undefined && responded(contents ? { content: result } : {}),
        (error) => isRpcError(error) && responded({ errorCode: error.code }),
      );
      return response;
    };
  return createProxy({
    info: { name: "logMessages", version: MIDDLEWARE_VERSION },
    passUnknownVersions: true,
    fromClient: { "*": intercept("client") },
    fromAgent: { "*": intercept("agent") },
  });
}
