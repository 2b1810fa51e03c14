/** So many pieces are joined at once: it bounds what waits, and keeps the engine's own ropes shallow. */
const JOIN_AT = 256;

/** Text that grows piece by piece, at a cost that does not depend on how long it is already. */
export class TextRope {
  #text: string;
  #pieces: string[] = [];

  constructor(text = "") {
    this.#text = text;
  }

  append(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length >= JOIN_AT) this.#join();
  }

  toString(): string {
    if (this.#pieces.length > 0) this.#join();
    return this.#text;
  }

  /** `+` of two strings copies neither in any engine of today: they are joined when somebody reads them character by character. */
  #join(): void {
    this.#text += this.#pieces.join("");
    this.#pieces = [];
  }
}
