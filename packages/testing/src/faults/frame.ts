import { joinBytes } from "../join-bytes.js";

/** One line in transit: a JSON value, or other text. */
export interface Frame {
  /** The line without its end. The value of a frame is serialized when `text` is first read. */
  readonly text: string;
  /** The parsed value; absent if the line is not JSON. */
  readonly json: { readonly value: unknown } | undefined;
  /** The line end; empty for a last line without a newline. */
  readonly end: "\n" | "";
  /** The frames merged into this one. */
  readonly parts?: readonly Frame[];
  /** The bytes of the frame with its line end, if they are needed repeatedly, or are not the bytes of the text. */
  readonly bytes?: Uint8Array;
}

/** Merges frames, so that a chunk of bytes can contain the end of a line and the beginning of the next. */
export function joinFrames(parts: readonly Frame[]): Frame {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const text = parts.map((part) => part.text + part.end).join("");
  const frame = { text, json: undefined, end: "", parts } as const;
  return parts.some(({ bytes }) => bytes !== undefined) ? { ...frame, bytes: joinBytes(parts.map(bytesOf)) } : frame;
}

/** Creates a frame for a value. `known` is the JSON text of the value, if it is available. */
export function valueFrame(value: unknown, known?: string): Frame {
  let text = known;
  return {
    get text() {
      text ??= JSON.stringify(value) as string;
      return text;
    },
    json: { value },
    end: "\n",
  };
}

/** Returns a frame for a received line, which may be JSON or not. */
export function lineFrame(text: string, end: "\n" | "" = "\n"): Frame {
  try {
    return { text, json: { value: JSON.parse(text) as unknown }, end };
  } catch {
    return { text, json: undefined, end };
  }
}

const encoder = new TextEncoder();

/** Returns the bytes of a frame, including its line end. */
export function bytesOf(frame: Frame): Uint8Array {
  return frame.bytes ?? encoder.encode(frame.text + frame.end);
}

/** Returns the frame with its bytes, cached because encoding it for each piece would be quadratic. */
export function withBytes(frame: Frame): Frame & { readonly bytes: Uint8Array } {
  return { ...frame, bytes: bytesOf(frame) };
}
