import type { Message, Transport } from "@acp-kit/jsonrpc";
import type { ServedAgent } from "../src/server/served-agent.js";

/** A message as a {@link scriptedAgent} receives it. */
export interface ReceivedMessage {
  readonly id: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * An agent without a library. It calls `answer` with each message of its client and with a function that sends any
 * message.
 */
export function scriptedAgent(
  answer: (message: ReceivedMessage, send: (message: object) => void) => void,
): ServedAgent & { readonly ended: Promise<unknown> } {
  let end = (_reason: unknown): void => {};
  const ended = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  return {
    ended,
    connect(transport: Transport) {
      const send = (message: object): void => void transport.send({ jsonrpc: "2.0", ...message } as Message);
      transport.start({
        message: (value) => answer(value as ReceivedMessage, send),
        malformed() {},
        ended: () => end(undefined),
        failed: end,
      });
      return { closed: ended.then(() => {}), close: () => transport.close() };
    },
  };
}
