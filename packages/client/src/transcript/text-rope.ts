/** So many pieces are joined at once: it bounds what waits, and keeps the engine's own ropes shallow. */
const JOIN_AT = 256;

/** Text that grows piece by piece, at a cost that does not depend on how long it is already. */
export class TextRope {
  #text: string;
  /** Filled again and again: what is not in use is empty. */
  readonly #pieces: string[] = [];
  #count = 0;

  constructor(text = "") {
    this.#text = text;
  }

  append(piece: string): void {
    if (this.#count < this.#pieces.length) this.#pieces[this.#count] = piece;
    else this.#pieces.push(piece);
    this.#count += 1;
    if (this.#count === JOIN_AT) this.#join();
  }

  toString(): string {
    if (this.#count > 0) this.#join();
    return this.#text;
  }

  /** `+` of two strings copies neither in any engine of today: they are joined when somebody reads them character by character. */
  #join(): void {
    this.#text += this.#pieces.join("");
    this.#pieces.fill("");
    this.#count = 0;
  }
}
