/** A frame on a replica link: a message, or the receipt of a message. */
export type LinkFrame =
  | { readonly number: number; readonly to: string; readonly message: string }
  | { readonly number: number; readonly arrived: boolean };

/** Encodes a frame: the length of its JSON in four bytes, then the JSON. */
export function frameBytes(frame: LinkFrame): Buffer {
  const json = Buffer.from(JSON.stringify(frame));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(json.length);
  return Buffer.concat([head, json]);
}

/** Splits received bytes into frames. */
export class FrameReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk and returns the complete frames. @throws {Error} for a frame that is too long or invalid. */
  *read(chunk: Buffer): Generator<LinkFrame> {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes >= 4) {
      const head = this.#first(4);
      const length = head.readUInt32BE();
      if (length > this.#maxBytes) throw new Error(`a frame of ${length} bytes is too long`);
      if (this.#bytes < 4 + length) return;
      const bytes = this.#first(4 + length);
      this.#chunks = bytes.length > 4 + length ? [bytes.subarray(4 + length)] : this.#chunks.slice(1);
      this.#bytes -= 4 + length;
      yield frameOf(JSON.parse(bytes.toString("utf8", 4, 4 + length)));
    }
  }

  /**
   * Returns the first chunk. If the chunk is shorter than `length`, it is joined with the other chunks. The chunks of a
   * long frame are joined only once, when the frame is complete.
   */
  #first(length: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= length) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}

function frameOf(value: unknown): LinkFrame {
  const { number, to, message, arrived } = (value ?? {}) as Record<string, unknown>;
  if (typeof number === "number") {
    if (typeof to === "string" && typeof message === "string") return { number, to, message };
    if (typeof arrived === "boolean") return { number, arrived };
  }
  throw new Error("a frame is neither a message nor a receipt");
}
