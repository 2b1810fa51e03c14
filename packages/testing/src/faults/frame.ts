/** One line on its way: a JSON value, or text that is none. */
export interface Frame {
  /** The line without its end. For a value that came without text it is made when somebody asks. */
  readonly text: string;
  /** Present when the text is JSON. */
  readonly json: { readonly value: unknown } | undefined;
  /** A last line that ended without a newline has none here, either. */
  readonly end: "\n" | "";
  /** The frames that travel together in this one. */
  readonly parts?: readonly Frame[];
  /** Its bytes, where they are needed again and again. */
  readonly bytes?: Uint8Array;
}

/** Several frames as one, so that a piece of it may hold the end of a line and the beginning of the next. */
export function joinFrames(parts: readonly Frame[]): Frame {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return { text: parts.map(({ text, end }) => text + end).join(""), json: undefined, end: "", parts };
}

/** A value, and its text where that is at hand. */
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

/** A line as it was read: JSON or not. */
export function lineFrame(text: string, end: "\n" | "" = "\n"): Frame {
  try {
    return { text, json: { value: JSON.parse(text) as unknown }, end };
  } catch {
    return { text, json: undefined, end };
  }
}

const encoder = new TextEncoder();

/** The bytes of a frame, its end included. */
export function bytesOf(frame: Frame): Uint8Array {
  return frame.bytes ?? encoder.encode(frame.text + frame.end);
}

/** The frame with its bytes at hand: encoding it for each of its pieces would take quadratic time. */
export function withBytes(frame: Frame): Frame & { readonly bytes: Uint8Array } {
  return { ...frame, bytes: bytesOf(frame) };
}
