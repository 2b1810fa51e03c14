import type { MessageKind, Side } from "../wire-message.js";

/** The faults of a connection, as data: it can be printed, sent to another process, and kept with a test that failed. */
export type FaultPlan = readonly Fault[];

/** What goes wrong, and with which messages. */
export type Fault = FaultAction & FaultTrigger;

/** Which messages a fault meets: those that fit every member. Without any, it meets all. */
export interface FaultTrigger {
  /** Who sends it. */
  readonly from?: Side;
  readonly kind?: MessageKind;
  /** Its method; a response has the method of its request. */
  readonly method?: string | readonly string[];
  /** The how many-th of the messages that fit: 1 is the first. */
  readonly at?: number | readonly number[];
  /** How likely it is, from 0 to 1; decided by the seed. Default 1. */
  readonly chance?: number;
  /** At most so often. */
  readonly times?: number;
}

/** A number, or the range in which the seed picks one. */
export type Amount = number | readonly [min: number, max: number];

/** What goes wrong. */
export type FaultAction =
  /** It is lost. */
  | { readonly fault: "drop" }
  /** It and everything behind it waits; the order stays. */
  | { readonly fault: "delay"; readonly ms: Amount }
  /** It comes again, at once. */
  | { readonly fault: "duplicate"; readonly copies?: number }
  /** It comes behind the next message of its direction, or behind `by` of them; alone, after `ms` (default 10). */
  | { readonly fault: "reorder"; readonly by?: number; readonly ms?: number }
  /** A `session/update` comes behind the response of its turn. */
  | { readonly fault: "late" }
  /** Before the response that creates a session comes an update of it. */
  | { readonly fault: "early" }
  /** A response never comes. */
  | { readonly fault: "unanswered" }
  /** From this message on its sender says nothing more, and reads on. */
  | { readonly fault: "silence" }
  /** Somewhere in its params, result or error stands something else, something more, or nothing; `anywhere`: in the envelope, too. */
  | { readonly fault: "mistype"; readonly anywhere?: boolean }
  /** A line that is no JSON comes before it. */
  | { readonly fault: "garbage" }
  /** Lines that a person may read come before it. */
  | { readonly fault: "banner"; readonly text?: string }
  /** A notification of this size comes before it. Default 1 MiB. */
  | { readonly fault: "huge"; readonly bytes?: number }
  /** Its bytes come in pieces of this size, one after the other. Default: the seed's choice. */
  | { readonly fault: "split"; readonly bytes?: Amount }
  /** It waits for the messages behind it, and `messages` (default 2) arrive in one piece; after `ms` (default 10) those that are there. With `split`: in pieces that need not end where lines end. */
  | { readonly fault: "merge"; readonly messages?: number; readonly ms?: number }
  /** After it, its receiver doesn't read for so long, and what waits fills the pipe. */
  | { readonly fault: "slow"; readonly ms: Amount }
  /** The connection ends in the middle of it: after `byte` of its bytes, or where the seed says. With `atByte`: at that byte of all that its side sends. */
  | { readonly fault: "cut"; readonly byte?: number; readonly atByte?: number }
  /** Its sender's output ends behind it; the sender reads on. */
  | { readonly fault: "half-close" }
  /** The connection ends before it, as when a process dies: in order, or broken. In a process it is the agent that dies: `exitCode`, or a signal when it breaks. */
  | { readonly fault: "die"; readonly how?: "ends" | "breaks"; readonly exitCode?: number };

/** A fault that has happened. */
export interface InjectedFault {
  readonly fault: Fault["fault"];
  /** Which entry of the plan. */
  readonly rule: number;
  readonly from: Side;
  /** Which message of that side: 1 is its first. */
  readonly message: number;
  readonly kind: MessageKind | undefined;
  readonly method: string | undefined;
  /** What exactly: how long, which byte, which member. */
  readonly detail: string;
}
