import type { TapEvent } from "@acp-kit/protocol";
import { Log } from "./log.js";

/** A message as it crossed the wire, with the members a test may look at. */
export interface WireMessage {
  readonly from: "client" | "agent";
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: { readonly update?: { readonly sessionUpdate: string }; readonly [member: string]: unknown };
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly size: number;
}

/** Every message of a connection in the order in which its client sent and received them. */
export class Wire extends Log<WireMessage> {
  /** For the client's `tap` option. */
  readonly tap = ({ direction, message, size, malformed }: TapEvent): void => {
    if (malformed) return;
    const copy = JSON.parse(JSON.stringify(message)) as WireMessage;
    this.push({ ...copy, from: direction === "sent" ? "client" : "agent", size });
  };

  /** Where the n-th message that passes is; throws when there is none. */
  index(test: (message: WireMessage) => boolean, nth = 1): number {
    let left = nth;
    const index = this.items.findIndex((message) => test(message) && --left === 0);
    if (index < 0) throw new Error(`No such message among ${this.items.length}`);
    return index;
  }

  /** The response to a request of this method. */
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

/** A `session/update` of this kind, or of any. */
export const isUpdate =
  (kind?: string) =>
  ({ method, params }: WireMessage): boolean =>
    method === "session/update" && (kind === undefined || params?.update?.sessionUpdate === kind);

/** A chunk of the agent's message with exactly this text. */
export const says =
  (text: string) =>
  (message: WireMessage): boolean =>
    isUpdate("agent_message_chunk")(message) && JSON.stringify(message.params).includes(`"text":"${text}"`);

/** The stop reason in the response to a prompt. */
export const stopReason = ({ result }: WireMessage): unknown => (result as { stopReason?: unknown } | null)?.stopReason;

/** The response to the n-th request of a method. */
export function answerTo(messages: readonly WireMessage[], method: string, nth = 1): WireMessage | undefined {
  const request = messages.filter(isRequest(method))[nth - 1];
  return messages.find(
    (message) => isResponse(message) && message.id === request?.id && message.from !== request?.from,
  );
}
