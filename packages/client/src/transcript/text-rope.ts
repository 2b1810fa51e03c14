/**
 * The number of pieces that are joined in one step. It limits the number of pending pieces, and the depth of the tree
 * by which the JavaScript engine represents the text.
 */
const JOIN_AT = 256;

/** Accumulates text piece by piece. The cost of a piece does not depend on the length of the text so far. */
export class TextRope {
  #text: string;
  /** The pieces that are not joined yet. The array is reused; unused elements are empty. */
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

  /**
   * Appends the pending pieces to the text. In current engines, `+` copies neither string; the engine joins them when
   * their characters are read.
   */
  #join(): void {
    this.#text += this.#pieces.join("");
    this.#pieces.fill("");
    this.#count = 0;
  }
}
