/** One line in transit: a JSON value, or other text. */
export interface Frame {
  /** The line without its end. For a value passed without text it is serialised on first use. */
  readonly text: string;
  /** Present when the text is JSON. */
  readonly json: { readonly value: unknown } | undefined;
  /** A last line without a newline has none here, either. */
  readonly end: "\n" | "";
  /** The frames merged into this one. */
  readonly parts?: readonly Frame[];
  /** Its bytes, cached where they are needed repeatedly. */
  readonly bytes?: Uint8Array;
}

/** Merges several frames, so that a piece can hold the end of a line and the beginning of the next. */
export function joinFrames(parts: readonly Frame[]): Frame {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return { text: parts.map(({ text, end }) => text + end).join(""), json: undefined, end: "", parts };
}

/** A frame for a value, and its text if available. */
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

/** A frame for a line as it was read: JSON or not. */
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

/** The frame with its bytes cached: encoding it for each of its pieces would take quadratic time. */
export function withBytes(frame: Frame): Frame & { readonly bytes: Uint8Array } {
  return { ...frame, bytes: bytesOf(frame) };
}
