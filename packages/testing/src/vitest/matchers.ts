import type { PromptResponse, StopReason } from "@acp-kit/types";
import { dialogue, requestsOf } from "../dialogue.js";
import { jsonText } from "../json-text.js";
import type { ScriptedPeer } from "../script/scripted-peer.js";
import { otherSide, type Side, type WireMessage, type WireResponse } from "../wire-message.js";
import { faultsOf, faultsOfSeen, type MessageContext } from "./conformant.js";

/** The part of `this` that the matchers use in Vitest and Jest. */
export interface MatcherContext {
  equals(a: unknown, b: unknown): boolean;
}

/** The result of a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers on `expect`. For Vitest, declare `interface Matchers<T> extends AcpMatchers<T> {}`. */
export interface AcpMatchers<R = unknown> {
  /** Passes if a scripted peer has received a message of this method, whose params have at least these members. */
  toHaveReceived(method: string, params?: object): R;
  /** Passes if a scripted peer has sent a message of this method, whose params have at least these members. */
  toHaveSent(method: string, params?: object): R;
  /**
   * Passes if a turn has ended with this stop reason. The tested value is a response to `session/prompt`, the result of
   * such a response, a state `idle` of version 2, or a scripted peer. For a scripted peer, the last response to
   * `session/prompt` or the last state `idle` counts.
   */
  toHaveStopped(reason: StopReason): R;
  /**
   * Passes if a message conforms to stable version 1, or to the `version` of the context. A response needs
   * `responseTo`, the method of its request.
   */
  toBeConformantMessage(context?: MessageContext): R;
  /**
   * Passes if every message that a scripted peer received conforms to the negotiated version. `from` selects the sender
   * to check.
   */
  toHaveConformantDialogue(context?: { readonly from?: Side }): R;
}

/** Matchers to pass to `expect.extend(acpMatchers)`. */
export const acpMatchers: {
  readonly [Name in keyof AcpMatchers]: (
    this: MatcherContext,
    actual: unknown,
    ...expected: Parameters<AcpMatchers[Name]>
  ) => MatcherResult;
} = {
  toHaveReceived(actual, method, params) {
    const peer = peerOf(actual, "toHaveReceived");
    return happened(peer, otherSide(peer.side), method, params, (a, b) => this.equals(a, b));
  },

  toHaveSent(actual, method, params) {
    const peer = peerOf(actual, "toHaveSent");
    return happened(peer, peer.side, method, params, (a, b) => this.equals(a, b));
  },

  toHaveStopped(actual, reason) {
    const response = isPeer(actual) ? lastEnd(actual) : actual;
    const { result, error } = (response ?? {}) as Partial<WireResponse>;
    const stopReason = ((result ?? response) as Partial<PromptResponse> | undefined)?.stopReason;
    const how =
      response === undefined
        ? "no turn has ended"
        : error !== undefined
          ? `it failed: ${jsonText(error)}`
          : `it stopped with ${jsonText(stopReason)}`;
    return {
      pass: stopReason === reason,
      message: () => told(`Expected the turn to stop, or not to, with ${JSON.stringify(reason)}: ${how}.`, actual),
    };
  },

  toBeConformantMessage(actual, context) {
    const faults = faultsOf(actual, context);
    const shown = jsonText(actual, 2);
    return {
      pass: faults.length === 0,
      message: () =>
        faults.length === 0
          ? `Expected a message that breaks the rules; this one doesn't:\n${shown}`
          : `Expected a conformant message, but ${faults.join("; ")}:\n${shown}`,
    };
  },

  toHaveConformantDialogue(actual, { from } = {}) {
    const peer = peerOf(actual, "toHaveConformantDialogue");
    const side = from ?? otherSide(peer.side);
    const faults = faultsOfSeen(peer.seen, side);
    const title = `Expected the ${side} ${faults.length === 0 ? "to break the rules; it doesn't" : "to keep the rules"}.`;
    return { pass: faults.length === 0, message: () => told([title, ...faults].join("\n"), peer) };
  },
};

function happened(
  peer: ScriptedPeer,
  from: Side,
  method: string,
  params: object | undefined,
  equals: MatcherContext["equals"],
): MatcherResult {
  const messages = peer.seen.flatMap((seen) =>
    seen.from === from && seen.message?.method === method ? [seen.message] : [],
  );
  const found = messages.some((message) => params === undefined || contains(message.params, params, equals));
  const verb = from === peer.side ? "sent" : "received";
  const wanted = params === undefined ? method : `${method} with ${JSON.stringify(params)}`;
  const instead = messages.length === 0 ? "no message with that method was found" : paramsOf(messages);
  return {
    pass: found,
    message: () =>
      found
        ? told(`Expected the scripted ${peer.side} not to have ${verb} ${wanted}.`, peer)
        : told(`Expected the scripted ${peer.side} to have ${verb} ${wanted}; ${instead}.`, peer),
  };
}

const paramsOf = (messages: readonly WireMessage[]): string =>
  `the messages with that method had the params ${messages.map(({ params }) => jsonText(params)).join(", ")}`;

/**
 * Returns whether `whole` has every member of `part`, at any depth; lists must have the same length. Asymmetric
 * matchers (`expect.any(String)`) are allowed anywhere.
 */
function contains(whole: unknown, part: unknown, equals: MatcherContext["equals"]): boolean {
  if (equals(whole, part)) return true;
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) && whole.length === part.length && part.every((item, n) => contains(whole[n], item, equals))
    );
  }
  if (!isPlainObject(part) || !isPlainObject(whole)) return false;
  return Object.entries(part).every(([key, member]) => contains(whole[key], member, equals));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns the last response to a prompt, or the last idle state of version 2, whose prompts have other responses. */
function lastEnd({ seen }: ScriptedPeer): object | undefined {
  const requests = requestsOf(seen);
  for (const entry of seen.toReversed()) {
    const { message } = entry;
    const { update } = (message?.params ?? {}) as { readonly update?: { readonly state?: unknown } };
    if (message?.method === "session/update" && update?.state === "idle") return update;
    const isPrompt = requests.get(entry)?.method === "session/prompt";
    const { messageId, stopReason } = (message?.result ?? {}) as Readonly<Record<string, unknown>>;
    if (isPrompt && (messageId === undefined || stopReason !== undefined)) return message;
  }
  return undefined;
}

function isPeer(value: unknown): value is ScriptedPeer {
  return typeof value === "object" && value !== null && "seen" in value && "side" in value;
}

function peerOf(value: unknown, matcher: string): ScriptedPeer {
  if (!isPeer(value))
    throw new TypeError(`${matcher} needs a scripted peer: the result of connecting agentScript() or clientScript()`);
  return value;
}

/** Adds the whole conversation to a text if the actual value is a scripted peer. */
function told(text: string, actual: unknown): string {
  return isPeer(actual) ? `${text}\n\n${dialogue(actual.seen)}` : text;
}
