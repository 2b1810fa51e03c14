import type { Random } from "../random.js";
import type { Fault } from "./fault-plan.js";
import { bytesOf, type Frame, joinFrames, lineFrame, valueFrame } from "./frame.js";
import { earlyUpdate, garbage, hugeNotification, usualBanner } from "./inventions.js";
import { type Deed, pieces } from "./lane.js";
import { mistype } from "./mistype.js";
import { amountOf } from "./rules.js";
import type { Passing } from "./traffic.js";

/** The effect of the faults of a plan on one message. */
export interface Outcome {
  /** The copies that arrive: none, one or several. */
  frames: Frame[];
  readonly before: Deed[];
  readonly after: Deed[];
  /** How many messages arrive together, and how long the first waits for the others, in milliseconds. */
  gather: { readonly count: number; readonly ms: number } | undefined;
  /** Returns the size of the next piece of the message; `undefined` if the message arrives in one piece. */
  nextPiece: (() => number) | undefined;
  /** Whether the connection ends with this message. */
  isLast: boolean;
}

/** The functions with which a fault acts on the whole connection, not only on one message. */
export interface Hands {
  /** The version of the protocol. */
  readonly version: number;
  /** Drops all further messages of the sender. */
  silence(): void;
  holdBehind(frames: readonly Frame[], by: number, ms: number): void;
  holdLate(frames: readonly Frame[]): void;
  endOutput(): void;
  end(how: "ends" | "breaks", exitCode?: number): void;
}

/** The values that a fault uses: the message, its outcome so far, and the random generator. */
export interface Scene {
  readonly passing: Passing;
  readonly outcome: Outcome;
  readonly random: Random;
  /** The position of the message's first byte in the output of its sender. */
  readonly start: number;
  readonly hands: Hands;
}

type FaultOf<Name extends Fault["fault"]> = Extract<Fault, { readonly fault: Name }>;
type Effect<Name extends Fault["fault"]> = (fault: FaultOf<Name>, scene: Scene) => string;

/** Applies a fault to a message; returns a description of the details. */
export function inject(fault: Fault, scene: Scene): string {
  return (effects[fault.fault] as Effect<Fault["fault"]>)(fault, scene);
}

const lose = ({ outcome }: Scene): string => {
  outcome.frames = [];
  return "it is lost";
};

const effects: { readonly [Name in Fault["fault"]]: Effect<Name> } = {
  drop: (_, scene) => lose(scene),

  unanswered: (_, scene) => lose(scene),

  silence: (_, scene) => {
    scene.hands.silence();
    return `${lose(scene)}, and everything after it`;
  },

  delay: (fault, { outcome, random }) => {
    const ms = amountOf(fault.ms, random);
    outcome.before.push({ do: "wait", ms });
    return `${ms} ms`;
  },

  slow: (fault, { outcome, random }) => {
    const ms = amountOf(fault.ms, random);
    outcome.after.push({ do: "wait", ms });
    return `its reader pauses for ${ms} ms`;
  },

  duplicate: ({ copies = 1 }, { outcome }) => {
    outcome.frames = outcome.frames.flatMap((frame) => Array.from({ length: copies + 1 }, () => frame));
    return `it comes ${copies + 1} times`;
  },

  reorder: ({ by = 1, ms = 10 }, { outcome, hands }) => {
    hands.holdBehind(outcome.frames, by, ms);
    outcome.frames = [];
    return `it arrives after ${by} of the next, or after ${ms} ms`;
  },

  late: (_, { outcome, hands }) => {
    hands.holdLate(outcome.frames);
    outcome.frames = [];
    return "it arrives after the end of its turn";
  },

  early: (_, scene) => {
    const sessionId = scene.passing.sessionId as string;
    insert(scene, valueFrame(earlyUpdate(sessionId, scene.hands.version)));
    return `an update of ${sessionId} comes first`;
  },

  mistype: ({ anywhere }, { outcome, random }) => {
    const details: string[] = [];
    outcome.frames = outcome.frames.map((frame) => {
      if (frame.json === undefined) return frame;
      const { value, detail } = mistype(frame.json.value, random, { anywhere });
      details.push(detail);
      return valueFrame(value);
    });
    return details.join("; ");
  },

  garbage: (_, scene) => {
    const line = garbage(scene.random);
    insert(scene, lineFrame(line));
    return `${JSON.stringify(line)} comes first`;
  },

  banner: ({ text = usualBanner }, scene) => {
    for (const line of text.split("\n")) insert(scene, lineFrame(line));
    return `${JSON.stringify(text)} comes first`;
  },

  huge: ({ bytes = 1_048_576 }, scene) => {
    insert(scene, valueFrame(hugeNotification(bytes)));
    return `a notification of ${bytes} bytes comes first`;
  },

  split: ({ bytes = [1, 40] }, { outcome, random }) => {
    outcome.nextPiece = () => Math.max(1, amountOf(bytes, random));
    return "it arrives in pieces";
  },

  merge: ({ messages = 2, ms = 10 }, { outcome }) => {
    outcome.gather = { count: messages, ms };
    return `up to ${messages} messages arrive in one piece`;
  },

  "half-close": (_, { outcome, hands, passing }) => {
    outcome.after.push({ do: "run", action: hands.endOutput });
    return `the ${passing.from}'s output ends after it`;
  },

  cut: ({ byte, atByte }, { outcome, random, start, hands }) => {
    const [frame] = outcome.frames as [Frame];
    const { length } = bytesOf(frame);
    const place = atByte === undefined ? (byte ?? random.integer(0, length - 1)) : atByte - start;
    const end = Math.max(0, Math.min(place, length));
    outcome.before.push({ do: "piece", frame, start: 0, end, last: end === length });
    finish(outcome, () => hands.end("ends"));
    return `the connection ends after ${end} of its ${length} bytes`;
  },

  die: ({ how = "ends", exitCode }, { outcome, hands }) => {
    finish(outcome, () => hands.end(how, exitCode));
    return `the connection ${how} before it`;
  },
};

function insert({ outcome }: Scene, frame: Frame): void {
  outcome.before.push({ do: "deliver", frames: [frame] });
}

function finish(outcome: Outcome, action: () => void): void {
  outcome.frames = [];
  outcome.isLast = true;
  outcome.after.splice(0, outcome.after.length, { do: "run", action });
}

/** Returns the steps of an outcome, in order. */
export function deedsOf({ frames, before, after, gather, nextPiece }: Outcome): Deed[] {
  if (frames.length === 0) return [...before, ...after];
  if (gather !== undefined) return [...before, { do: "gather", frames, how: { ...gather, nextPiece } }, ...after];
  if (nextPiece !== undefined) return [...before, ...pieces(joinFrames(frames), nextPiece), ...after];
  return [...before, { do: "deliver", frames }, ...after];
}
