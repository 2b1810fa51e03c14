import type { RequestId, ResponseMessage } from "@acp-kit/jsonrpc";
import type { Deferred } from "@acp-kit/jsonrpc/internal";
import type { InterceptorCall } from "./interceptor-call.js";
import type { Interceptor } from "./interceptor-table.js";

/**
 * The state of a request:
 *
 * - `queued`: it waits for earlier messages of its session.
 * - `intercepted`: its interceptor has not forwarded it.
 * - `forwarded`: the receiver has it.
 * - `responding`: the receiver has responded, and the interceptor has not.
 * - `answered`: the sender has a response. The receiver may still respond.
 */
export type RequestState = "queued" | "intercepted" | "forwarded" | "responding" | "answered";

/** A request whose sender or receiver still waits for a response. */
export interface OpenRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly session: string | undefined;
  /** The params of a request that opens a session or a connection, as its sender sent them. */
  readonly opening: unknown;
  readonly interceptor: Interceptor | undefined;
  state: RequestState;
  call: InterceptorCall | undefined;
  /** Settles the promise that `next` returned. */
  response: Deferred<ResponseMessage> | undefined;
  /** Resolves when the interceptor has responded to a response that holds the lane. */
  finished: Deferred<void> | undefined;
  /** Whether the interceptor returned the promise of `next`, so that the response passes unchanged. */
  passes: boolean;
  /** Whether its sender cancelled it. */
  isCancelled: boolean;
  /** Whether the turn of the prompt was cancelled. */
  isTurnCancelled: boolean;
  /** The result that the receiver sent. */
  received: unknown;
}
