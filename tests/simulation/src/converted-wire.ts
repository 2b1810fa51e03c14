import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";

/** Any JSON-RPC message, of which the simulation reads some members. */
export interface AnyMessage {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the simulation has written these members itself
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The messages of a simulated peer of version 1, as messages of version 2, and the reverse. */
export interface Conversion {
  /** Converts a message of the simulated peer, whose code knows only version 1. */
  sent(message: AnyMessage): void;
  /** Converts a message of the gateway. */
  received(message: AnyMessage): void;
}

/** Where a {@link Conversion} sends messages. */
export interface Ends {
  toGateway(message: object): void;
  toPeer(message: object): void;
}

/**
 * Lets a simulated peer, which is written for version 1 of the protocol, speak version 2. The conversions have nothing
 * in common with those under test: they know only what the simulated peers send.
 */
export function convertedWire(inner: Transport, conversionOf: (ends: Ends) => Conversion): Transport {
  let receiver: TransportReceiver | undefined;
  const conversion = conversionOf({
    toGateway: (message) => void inner.send({ jsonrpc: "2.0", ...message } as Message),
    toPeer: (message) => receiver?.message({ jsonrpc: "2.0", ...message }, 0),
  });
  return {
    get full() {
      return inner.full;
    },
    start(ours) {
      receiver = ours;
      inner.start({ ...ours, message: (value) => conversion.received(value as AnyMessage) });
    },
    send(message) {
      conversion.sent(message as AnyMessage);
      return 0;
    },
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    close: () => inner.close(),
  };
}
