// biome-ignore lint/suspicious/noExplicitAny: a mutation takes messages apart that may have any shape
export type Message = Record<string, any>;

/** The output of a proxy: a message, a line that is not a message, or bytes. */
export type Written = Message | string | Uint8Array;

/** One connection that passes through a proxy: the peer under test on one side, the kit on the other. */
export interface Wire {
  /** The params of `initialize`, as soon as it has passed. */
  readonly initialize: Message;
  /** Returns the request of the kit to which a response of the peer belongs. */
  askedByKit(response: Message): Message | undefined;
  /** Returns the request of the peer to which a response of the kit belongs. */
  askedByPeer(response: Message): Message | undefined;
  /** The requests of the kit that have no response yet. */
  readonly openFromKit: Iterable<Message>;
  toKit(written: Written): void;
  toPeer(message: Message): void;
  /** Ends the connection as a crash of the peer would. */
  die(): void;
}

/** Changes the messages of one connection. Each connection has its own mutation, which may have state. */
export interface Mutation {
  /** Returns the replacement for a message of the peer; `undefined`: the message stays unchanged. */
  readonly fromPeer?: (message: Message, wire: Wire) => readonly Written[] | undefined;
  /** Returns the replacement for a message of the kit; `undefined`: the message stays unchanged. */
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
  /** Further rules that the mutant breaks, because they repeat the rule. */
  readonly also?: readonly string[];
  /** Its behaviour, for the end of the sentence "an agent that …" or "a client that …". */
  readonly does: string;
  /** The scenarios and watches in which it shows, or prefixes of their ids. */
  readonly shows: readonly string[];
  readonly mutation: MakeMutation;
}
