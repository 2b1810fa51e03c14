import type { RequestId } from "@acp-kit/jsonrpc";
import { idKey, kindOf, type MessageKind, otherSide, type Side, type WireMessage } from "../wire-message.js";
import type { Frame } from "./frame.js";

/** The properties of a message by which a plan selects it. */
export interface Passing {
  readonly from: Side;
  /** The number of the message among the messages of its sender: 1 is the first. */
  readonly number: number;
  readonly kind: MessageKind | undefined;
  /** The method of the message; a response has the method of its request. */
  readonly method: string | undefined;
  /** The session id of the message; for a response, the session id in its request or its result. */
  readonly sessionId: string | undefined;
  readonly id: RequestId | undefined;
}

interface Asked {
  readonly method: string;
  readonly sessionId: string | undefined;
}

/** Tracks the parts of a conversation that faults use: the request of each response, and running prompts. */
export class Traffic {
  readonly #counts: Record<Side, number> = { agent: 0, client: 0 };
  readonly #asked: Record<Side, Map<string, Asked>> = { agent: new Map(), client: new Map() };
  /** Sessions of running prompts, by request id. */
  readonly #prompts = new Map<string, string>();

  /** Records a message before a fault changes it. */
  passing(from: Side, frame: Frame): Passing {
    this.#counts[from] += 1;
    const number = this.#counts[from];
    const value = frame.json?.value;
    const kind = kindOf(value);
    if (kind === undefined) return { from, number, kind, method: undefined, sessionId: undefined, id: undefined };
    const { id, method, params, result } = value as WireMessage;
    if (kind === "response") {
      const asked = this.#asked[otherSide(from)].get(idKey(id));
      if (from === "agent") this.#prompts.delete(idKey(id));
      return { from, number, kind, method: asked?.method, sessionId: asked?.sessionId ?? sessionOf(result), id };
    }
    const sessionId = sessionOf(params);
    if (kind === "request") {
      this.#asked[from].set(idKey(id), { method: method as string, sessionId });
      if (method === "session/prompt" && sessionId !== undefined) this.#prompts.set(idKey(id), sessionId);
    }
    return { from, number, kind, method, sessionId, id };
  }

  /** Whether a prompt of this session waits for its response. */
  isPrompted(sessionId: string | undefined): boolean {
    return [...this.#prompts.values()].includes(sessionId as string);
  }
}

function sessionOf(value: unknown): string | undefined {
  const { sessionId } = (value ?? {}) as { readonly sessionId?: unknown };
  return typeof sessionId === "string" ? sessionId : undefined;
}
