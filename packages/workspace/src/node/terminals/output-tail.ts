/**
 * Stores the end of a command's output, in whole characters. The stored text has a maximum size and is kept in one
 * buffer. The time for all operations is linear in the size of the output, however small the received pieces are.
 *
 * @see https://agentclientprotocol.com/protocol/v1/terminals#getting-output
 */
export class OutputTail {
  readonly #limit: number;
  #bytes = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  #truncated = false;

  /** @param limit in bytes of UTF-8. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether output was dropped. */
  get truncated(): boolean {
    return this.#truncated;
  }

  append(text: string): void {
    if (text === "") return;
    const bytes = Buffer.from(text);
    const added = bytes.subarray(Math.max(0, bytes.length - this.#limit));
    this.#reserve(added.length);
    added.copy(this.#bytes, this.#end);
    this.#end += added.length;
    if (added.length < bytes.length) this.#truncated = true;
    if (this.#end - this.#start > this.#limit) {
      this.#start = this.#end - this.#limit;
      this.#truncated = true;
    }
  }

  /** The stored output. It begins with a whole character, so it may have fewer bytes than the limit. */
  toString(): string {
    let start = this.#start;
    // A byte 10xxxxxx continues a character. Without truncation, the first byte always begins a character.
    while (start < this.#end && this.#truncated && ((this.#bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return this.#bytes.toString("utf8", start, this.#end);
  }

  /** Makes room for `length` more bytes: moves the output to the front of the buffer, or allocates a larger one. */
  #reserve(length: number): void {
    const kept = Math.min(this.#end - this.#start, Math.max(0, this.#limit - length));
    if (this.#end + length <= this.#bytes.length) return;
    const from = this.#end - kept;
    const needed = kept + length;
    // The buffer has twice the size of the limit, so that the stored output is moved only once for every `limit` bytes.
    const size = Math.min(Math.max(needed * 2, 1_024), Math.max(this.#limit * 2, needed));
    const bytes = size > this.#bytes.length ? Buffer.allocUnsafe(size) : this.#bytes;
    this.#bytes.copy(bytes, 0, from, this.#end);
    this.#truncated ||= from > this.#start;
    this.#bytes = bytes;
    this.#start = 0;
    this.#end = kept;
  }
}
