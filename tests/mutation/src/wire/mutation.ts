// biome-ignore lint/suspicious/noExplicitAny: a mutation takes messages apart that may have any shape
export type Message = Record<string, any>;

/** What a proxy writes: a message, a line that is none, or bytes. */
export type Written = Message | string | Uint8Array;

/** One connection that passes through a proxy: the peer under test on one side, the kit on the other. */
export interface Wire {
  /** The params of `initialize`, as soon as it has passed. */
  readonly initialize: Message;
  /** The request of the kit that a response of the peer answers. */
  askedByKit(response: Message): Message | undefined;
  /** The request of the peer that a response of the kit answers. */
  askedByPeer(response: Message): Message | undefined;
  /** The requests of the kit that have no response yet. */
  readonly openFromKit: Iterable<Message>;
  toKit(written: Written): void;
  toPeer(message: Message): void;
  /** Ends the connection, as a peer does that dies. */
  die(): void;
}

/** Changes what passes through a proxy. Each connection gets one of its own, so that it may keep a state. */
export interface Mutation {
  /** Returns what the kit gets instead of a message of the peer; `undefined`: the message itself. */
  readonly fromPeer?: (message: Message, wire: Wire) => readonly Written[] | undefined;
  /** Returns what the peer gets instead of a message of the kit; `undefined`: the message itself. */
  readonly fromKit?: (message: Message, wire: Wire) => readonly Message[] | undefined;
  /** Called with each line of the kit that is not a JSON object. */
  readonly onText?: (line: string, wire: Wire) => void;
}

/** Creates the mutation of one connection. */
export type MakeMutation = () => Mutation;

/** A way to break one rule on the wire. */
export interface Mutant {
  /** The rule that it breaks. */
  readonly rule: string;
  /** Rules that forbid the same, in other words or as a part of another area. */
  readonly also?: readonly string[];
  /** Its behaviour, for the end of the sentence "an agent that …" or "a client that …". */
  readonly does: string;
  /** The scenarios and watches in which it shows, or prefixes of their ids. */
  readonly shows: readonly string[];
  readonly mutation: MakeMutation;
}
