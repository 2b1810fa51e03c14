import type { MessageKind, Side } from "../wire-message.js";

/** The faults to inject into a connection, as plain data: a plan can be printed, sent to another process, and saved with a failed test. */
export type FaultPlan = readonly Fault[];

/** A kind of fault, and the messages to which it applies. */
export type Fault = FaultAction & FaultTrigger;

/** Selects the messages to which a fault applies: those that match every member. Without members, it selects all messages. */
export interface FaultTrigger {
  /** The role that sends the message. */
  readonly from?: Side;
  readonly kind?: MessageKind;
  /** The method of the message; a response has the method of its request. */
  readonly method?: string | readonly string[];
  /** Which of the matching messages is selected: 1 is the first. */
  readonly at?: number | readonly number[];
  /** The probability that the fault happens, from 0 to 1; the seed decides. The default is 1. */
  readonly chance?: number;
  /** The maximum number of times that the fault happens. */
  readonly times?: number;
}

/** A number, or a range from which the seed picks a number. */
export type Amount = number | readonly [min: number, max: number];

/** The kind of fault. */
export type FaultAction =
  /** It is lost. */
  | { readonly fault: "drop" }
  /** It and everything after it is delayed; the order stays. */
  | { readonly fault: "delay"; readonly ms: Amount }
  /** It arrives again, at once. */
  | { readonly fault: "duplicate"; readonly copies?: number }
  /** It arrives after the next message of its direction, or after `by` of them; if none follows, after `ms` (default 10). */
  | { readonly fault: "reorder"; readonly by?: number; readonly ms?: number }
  /** A `session/update` arrives after the response of its turn. */
  | { readonly fault: "late" }
  /** Before the response that creates a session, an update of that session arrives. */
  | { readonly fault: "early" }
  /** A response never arrives. */
  | { readonly fault: "unanswered" }
  /** From this message on its sender sends nothing more, but keeps reading. */
  | { readonly fault: "silence" }
  /** One value in its params, result or error is replaced, added or removed; `anywhere`: also in the envelope. */
  | { readonly fault: "mistype"; readonly anywhere?: boolean }
  /** A line that is not JSON arrives before it. */
  | { readonly fault: "garbage" }
  /** Human-readable lines arrive before it. */
  | { readonly fault: "banner"; readonly text?: string }
  /** A notification of this size arrives before it. Default 1 MiB. */
  | { readonly fault: "huge"; readonly bytes?: number }
  /** Its bytes arrive in pieces of this size. Default: chosen by the seed. */
  | { readonly fault: "split"; readonly bytes?: Amount }
  /**
   * It waits for the messages after it, and `messages` (default 2) arrive in one piece; after `ms` (default 10) those that have
   * come. With `split`: in pieces that need not end at line ends.
   */
  | { readonly fault: "merge"; readonly messages?: number; readonly ms?: number }
  /** After it, its receiver doesn't read for this time, and further messages fill the pipe. */
  | { readonly fault: "slow"; readonly ms: Amount }
  /** The connection ends in the middle of it: after `byte` of its bytes, or where the seed decides. With `atByte`: at that byte of its side's output. */
  | { readonly fault: "cut"; readonly byte?: number; readonly atByte?: number }
  /** Its sender's output ends after it; the sender keeps reading. */
  | { readonly fault: "half-close" }
  /**
   * The connection ends before it, as when a process dies: cleanly, or broken. In a process, the agent dies: with `exitCode`,
   * or by a signal when it breaks.
   */
  | { readonly fault: "die"; readonly how?: "ends" | "breaks"; readonly exitCode?: number };

/** A fault that has happened. */
export interface InjectedFault {
  readonly fault: Fault["fault"];
  /** The index of the fault in the plan. */
  readonly rule: number;
  readonly from: Side;
  /** The number of the message among those of its sender: 1 is the first. */
  readonly message: number;
  readonly kind: MessageKind | undefined;
  readonly method: string | undefined;
  /** The details of the fault, such as the delay, the byte or the member. */
  readonly detail: string;
}
