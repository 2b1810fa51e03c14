import { RpcError } from "@acp-kit/jsonrpc";
import type { ProxyMessage } from "../interceptors.js";
import type { ProxySession } from "../proxy-session.js";
import type { AgentSide, ClientSide } from "../proxy-side.js";

/** Decoded params, and the faults that the decoder repaired. */
export interface DecodedParams {
  readonly value: unknown;
  readonly salvaged: readonly unknown[];
}

/** What the calls of the interceptors of one direction have in common. */
export interface CallHost {
  readonly client: ClientSide;
  readonly agent: AgentSide;
  /** Returns the session that params name. */
  sessionOf(params: unknown): ProxySession | undefined;
  /** Returns the decoded params, or throws if they are invalid. */
  decode(method: string, params: unknown): DecodedParams;
}

/** One call of an interceptor, and the message that it receives. Most of its parts are created when they are used. */
export class InterceptorCall implements ProxyMessage {
  readonly method: string;
  readonly size: number;
  /** Whether the messages after this one can pass. */
  isReleased = false;
  readonly #host: CallHost;
  readonly #received: unknown;
  #session: { readonly value: ProxySession | undefined } | undefined;
  #params: DecodedParams | undefined;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #onReleased: (() => void) | undefined;

  constructor(host: CallHost, method: string, params: unknown, size: number) {
    this.#host = host;
    this.method = method;
    this.#received = params;
    this.size = size;
  }

  get client(): ClientSide {
    return this.#host.client;
  }

  get agent(): AgentSide {
    return this.#host.agent;
  }

  get session(): ProxySession | undefined {
    this.#session ??= { value: this.#host.sessionOf(this.#received) };
    return this.#session.value;
  }

  get params(): unknown {
    this.#params ??= this.#host.decode(this.method, this.#received);
    return this.#params.value;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted !== undefined && !this.#controller.signal.aborted) this.#controller.abort(this.#aborted.reason);
    return this.#controller.signal;
  }

  /** The reason with which the signal has aborted. */
  get aborted(): { readonly reason: unknown } | undefined {
    return this.#aborted;
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(this.#aborted.reason);
  }

  /** Calls `onReleased` when the call is released. */
  hold(onReleased: () => void): void {
    this.#onReleased = onReleased;
  }

  /** Lets the messages after this one pass. A second call has no effect. */
  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.#onReleased?.();
  }

  /**
   * Returns the params to forward, or `undefined` to forward the received message. An interceptor that has read params
   * with faults has decided about the repaired ones, so the receiver gets those.
   */
  forwarded(params: unknown): unknown {
    const own = this.#params;
    if (params !== undefined && params !== own?.value) return params;
    return own === undefined || own.salvaged.length === 0 ? undefined : own.value;
  }
}

/** Returns the error of a call of `next` that can't forward anything. */
export function nextError({ method, aborted }: InterceptorCall, problem: string): unknown {
  return aborted?.reason instanceof RpcError
    ? aborted.reason
    : new TypeError(`next() of the interceptor for ${method} was called ${problem}`, {
        ...(aborted !== undefined && { cause: aborted.reason }),
      });
}
