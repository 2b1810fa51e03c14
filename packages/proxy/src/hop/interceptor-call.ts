import { RpcError } from "@acp-kit/jsonrpc";
import type { ProxyMessage } from "../interceptors.js";
import type { ProxySession } from "../proxy-session.js";
import type { AgentSide, ClientSide } from "../proxy-side.js";

/** Decoded params, and the faults that the decoder repaired. */
export interface DecodedParams {
  readonly value: unknown;
  readonly salvaged: readonly unknown[];
}

/** The parts of a call of an interceptor. */
export interface CallParts {
  readonly method: string;
  readonly size: number;
  readonly session: ProxySession | undefined;
  readonly client: ClientSide;
  readonly agent: AgentSide;
  /** Returns the decoded params, or throws if they are invalid. */
  readonly decode: () => DecodedParams;
}

/** One call of an interceptor, and the message that it receives. */
export class InterceptorCall implements ProxyMessage {
  readonly method: string;
  readonly size: number;
  readonly session: ProxySession | undefined;
  readonly client: ClientSide;
  readonly agent: AgentSide;
  /** Resolves when the call no longer holds the messages after it. */
  readonly released: Promise<void>;
  /** Lets the messages after this one pass. A second call has no effect. */
  readonly release: () => void;
  isReleased = false;
  readonly #decode: () => DecodedParams;
  #params: DecodedParams | undefined;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  constructor({ method, size, session, client, agent, decode }: CallParts, onReleased: () => void) {
    this.method = method;
    this.size = size;
    this.session = session;
    this.client = client;
    this.agent = agent;
    this.#decode = decode;
    let resolve = (): void => {};
    this.released = new Promise((done) => {
      resolve = done;
    });
    this.release = () => {
      if (this.isReleased) return;
      this.isReleased = true;
      onReleased();
      resolve();
    };
  }

  get params(): unknown {
    this.#params ??= this.#decode();
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
