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
  /** For a `session/update`: the kind of the update. */
  readonly update: string | undefined;
  /** Whether the message ends the work for the session's prompts, so that updates that follow are late. */
  readonly endsWork: boolean;
}

interface Asked {
  readonly method: string;
  readonly sessionId: string | undefined;
}

/**
 * Tracks the parts of a conversation that faults use: the version of the protocol, the request of each response, and
 * the sessions that work on prompts.
 */
export class Traffic {
  readonly #counts: Record<Side, number> = { agent: 0, client: 0 };
  readonly #asked: Record<Side, Map<string, Asked>> = { agent: new Map(), client: new Map() };
  /** Sessions of prompts without a response, by request id. */
  readonly #prompts = new Map<string, string>();
  /** In version 2: the sessions that work, or that have got a prompt and did not yet report that they are idle. */
  readonly #working = new Set<string>();
  #version = 1;

  /** The version of the protocol that the response to `initialize` has named. */
  get version(): number {
    return this.#version;
  }

  /** Records a message before a fault changes it. */
  passing(from: Side, frame: Frame): Passing {
    this.#counts[from] += 1;
    const number = this.#counts[from];
    const value = frame.json?.value;
    const kind = kindOf(value);
    const none = { method: undefined, sessionId: undefined, id: undefined, update: undefined, endsWork: false };
    if (kind === undefined) return { ...none, from, number, kind };
    const { id, method, params, result } = value as WireMessage;
    if (kind === "response") {
      const asked = this.#asked[otherSide(from)].get(idKey(id));
      const sessionId = asked?.sessionId ?? sessionOf(result);
      if (from === "agent") this.#prompts.delete(idKey(id));
      if (asked?.method === "initialize") this.#version = versionOf(result);
      const endsWork = this.#version === 1 && asked?.method === "session/prompt";
      return { ...none, from, number, kind, method: asked?.method, sessionId, id, endsWork };
    }
    const sessionId = sessionOf(params);
    if (kind === "request") {
      this.#asked[from].set(idKey(id), { method: method as string, sessionId });
      if (method === "session/prompt" && sessionId !== undefined) {
        this.#prompts.set(idKey(id), sessionId);
        this.#working.add(sessionId);
      }
    }
    const { sessionUpdate: update, state } = method === "session/update" ? updateOf(params) : {};
    const endsWork = update === "state_update" && state === "idle";
    if (endsWork) this.#working.delete(sessionId as string);
    else if (update === "state_update") this.#working.add(sessionId as string);
    return { from, number, kind, method, sessionId, id, update, endsWork };
  }

  /** Whether the session works on a prompt: in version 1, a prompt waits for its response. */
  isPrompted(sessionId: string | undefined): boolean {
    if (this.#version !== 1) return this.#working.has(sessionId as string);
    return [...this.#prompts.values()].includes(sessionId as string);
  }
}

function updateOf(params: unknown): { readonly sessionUpdate?: string; readonly state?: unknown } {
  const { update } = (params ?? {}) as { readonly update?: { readonly sessionUpdate?: unknown } | null };
  return typeof update?.sessionUpdate === "string" ? (update as { readonly sessionUpdate: string }) : {};
}

function versionOf(result: unknown): number {
  const { protocolVersion } = (result ?? {}) as { readonly protocolVersion?: unknown };
  return protocolVersion === 2 ? 2 : 1;
}

function sessionOf(value: unknown): string | undefined {
  const { sessionId } = (value ?? {}) as { readonly sessionId?: unknown };
  return typeof sessionId === "string" ? sessionId : undefined;
}
