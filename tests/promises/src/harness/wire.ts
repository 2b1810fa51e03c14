import type { TapEvent } from "@acp-kit/protocol";
import { Log } from "./log.js";

/** A message of the wire, with the members that tests read. */
export interface WireMessage {
  readonly from: "client" | "agent";
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: { readonly update?: { readonly sessionUpdate: string }; readonly [member: string]: unknown };
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly size: number;
}

/** Every message of a connection, in the order in which the client sent and received them. */
export class Wire extends Log<WireMessage> {
  /** For the client's `tap` option. */
  readonly tap = ({ direction, message, size, malformed }: TapEvent): void => {
    if (malformed) return;
    const copy = JSON.parse(JSON.stringify(message)) as WireMessage;
    this.push({ ...copy, from: direction === "sent" ? "client" : "agent", size });
  };

  /** Returns the index of the n-th message that matches; throws if there is none. */
  index(test: (message: WireMessage) => boolean, nth = 1): number {
    let left = nth;
    const index = this.items.findIndex((message) => test(message) && --left === 0);
    if (index < 0) throw new Error(`No such message among ${this.items.length}`);
    return index;
  }

  /** Matches the response to a request of this method. */
  async answer(method: string, nth = 1): Promise<WireMessage> {
    const requests = await this.count(nth, isRequest(method));
    const { id, from } = requests[nth - 1] as WireMessage;
    return this.until((message) => isResponse(message) && message.id === id && message.from !== from);
  }
}

export const isRequest =
  (method: string) =>
  (message: WireMessage): boolean =>
    message.method === method && message.id !== undefined;

export const isNotification =
  (method: string) =>
  (message: WireMessage): boolean =>
    message.method === method && message.id === undefined;

export const isResponse = (message: WireMessage): boolean => message.method === undefined;

/** Matches a `session/update` of this kind, or of any kind. */
export const isUpdate =
  (kind?: string) =>
  ({ method, params }: WireMessage): boolean =>
    method === "session/update" && (kind === undefined || params?.update?.sessionUpdate === kind);

/** Matches a chunk of the agent's message with exactly this text. */
export const says =
  (text: string) =>
  (message: WireMessage): boolean =>
    isUpdate("agent_message_chunk")(message) && JSON.stringify(message.params).includes(`"text":"${text}"`);

/** Returns the stop reason of the response to a prompt. */
export const stopReason = ({ result }: WireMessage): unknown => (result as { stopReason?: unknown } | null)?.stopReason;

/** Returns the response to the n-th request of a method. */
export function answerTo(messages: readonly WireMessage[], method: string, nth = 1): WireMessage | undefined {
  const request = messages.filter(isRequest(method))[nth - 1];
  return messages.find(
    (message) => isResponse(message) && message.id === request?.id && message.from !== request?.from,
  );
}
