import type { MessageKind, Side } from "../wire-message.js";

/** The faults to inject into a connection, as plain data that can be printed, sent and saved. */
export type FaultPlan = readonly Fault[];

/** A kind of fault, and the messages to which it applies. */
export type Fault = FaultAction & FaultTrigger;

/** Selects the messages to which a fault applies. A message must match every member; without any, all match. */
export interface FaultTrigger {
  /** The role that sends the message. */
  readonly from?: Side;
  readonly kind?: MessageKind;
  /** The method of the message; a response has the method of its request. */
  readonly method?: string | readonly string[];
  /** The kind of a `session/update`, such as `state_update`. Only messages with such an update are selected. */
  readonly update?: string | readonly string[];
  /** Which of the matching messages is selected: 1 is the first. */
  readonly at?: number | readonly number[];
  /** The probability that the fault happens, from 0 to 1; the seed decides. The default is 1. */
  readonly chance?: number;
  /** The maximum number of times that the fault happens. */
  readonly times?: number;
}

/** A number, or a range from which the seed picks a number. */
export type Amount = number | readonly [min: number, max: number];

/** The effect of a fault on a message or a connection, with its parameters. */
export type FaultAction =
  /** The message is lost. */
  | { readonly fault: "drop" }
  /** The message and all later messages of its sender are delayed; their order does not change. */
  | { readonly fault: "delay"; readonly ms: Amount }
  /** The message arrives `copies` + 1 times in succession; by default twice. */
  | { readonly fault: "duplicate"; readonly copies?: number }
  /**
   * The message arrives after the next `by` (default 1) messages of its sender. If fewer messages follow within `ms`
   * milliseconds (default 10), it arrives then.
   */
  | { readonly fault: "reorder"; readonly by?: number; readonly ms?: number }
  /**
   * A `session/update` arrives after the response that ends its turn; in version 2, after the state `idle` that ends
   * the work. States are never late.
   */
  | { readonly fault: "late" }
  /** Before the response that creates a session, an update of that session arrives. */
  | { readonly fault: "early" }
  /** The response never arrives. */
  | { readonly fault: "unanswered" }
  /** From this message on, the sender sends nothing more, but keeps reading. */
  | { readonly fault: "silence" }
  /** A value in the params, result or error is replaced, added or removed; with `anywhere`, also in the envelope. */
  | { readonly fault: "mistype"; readonly anywhere?: boolean }
  /** A line that is not JSON arrives before the message. */
  | { readonly fault: "garbage" }
  /** Human-readable lines arrive before the message. */
  | { readonly fault: "banner"; readonly text?: string }
  /** A notification of this size in bytes arrives before the message. The default is 1 MiB. */
  | { readonly fault: "huge"; readonly bytes?: number }
  /** The bytes of the message arrive in pieces of this size. By default, the seed decides the size. */
  | { readonly fault: "split"; readonly bytes?: Amount }
  /**
   * The message waits until `messages` (default 2) messages can arrive in one piece, at most `ms` milliseconds (default
   * 10). With `split`, the messages arrive in pieces that need not end at line ends.
   */
  | { readonly fault: "merge"; readonly messages?: number; readonly ms?: number }
  /** After the message, the receiver doesn't read for this time in milliseconds, and further messages fill the pipe. */
  | { readonly fault: "slow"; readonly ms: Amount }
  /**
   * The connection ends inside the message: after `byte` bytes of the message, or after `atByte` bytes of the sender's
   * whole output. By default, the seed decides the byte.
   */
  | { readonly fault: "cut"; readonly byte?: number; readonly atByte?: number }
  /** The sender's output ends after the message; the sender keeps reading. */
  | { readonly fault: "half-close" }
  /**
   * The connection ends before the message, as when a process dies. With `ends`, it ends cleanly; with `breaks`, it
   * fails. If the agent is a process, it exits with `exitCode`; with `breaks`, `SIGKILL` ends it.
   */
  | { readonly fault: "die"; readonly how?: "ends" | "breaks"; readonly exitCode?: number };

/** A fault that has happened. */
export interface InjectedFault {
  readonly fault: Fault["fault"];
  /** The index of the fault in the plan. */
  readonly rule: number;
  readonly from: Side;
  /** The number of the message among the messages of its sender: 1 is the first. */
  readonly message: number;
  readonly kind: MessageKind | undefined;
  readonly method: string | undefined;
  /** The details of the fault, such as the delay, the byte or the member. */
  readonly detail: string;
}
