import { stdout } from "node:process";
import { blue, bold, columns, cut, dim, harmless, widthOf } from "./style.js";

/** Writes the conversation to the terminal, and wraps streaming text as it arrives. */
export class Screen {
  #section = 0;
  /** The streaming text that has not ended: its id and its current column. */
  #flow:
    | { readonly id: string; readonly indent: string; readonly paint: (text: string) => string; column: number }
    | undefined;

  /** Begins a chapter. */
  heading(title: string, note = ""): void {
    this.#section += 1;
    const left = `${this.#section}  ${title}`;
    const room = columns() - left.length - note.length - 3;
    this.#line("");
    this.#line(`${blue(bold(`${left} `))}${dim("─".repeat(Math.max(room, 3)))}${note && ` ${dim(note)}`}`);
  }

  /** Writes a label and a text. A text that is longer than the line continues on the next lines. */
  row(label: string, text: string, paint: (text: string) => string = (text) => text): void {
    const room = columns() - 16;
    const [first = "", ...rest] = wrapped(harmless(text), room);
    this.#line(`   ${dim(label.padEnd(12))} ${paint(first)}`);
    for (const line of rest) this.#line(`${" ".repeat(16)}${paint(line)}`);
  }

  /** Writes a line, cut at the width of the terminal. Colours are added after the cut. */
  line(text: string, paint: (text: string) => string = (text) => text, indent = 3): void {
    this.#line(`${" ".repeat(indent)}${paint(cut(harmless(text), columns() - indent))}`);
  }

  /** Writes a line that contains colours. */
  painted(text: string): void {
    this.#line(text);
  }

  /** Adds to the streaming text with this id, or begins a new one. */
  stream(id: string, label: string, text: string, paint: (text: string) => string): void {
    if (this.#flow?.id !== id) {
      this.#end();
      const indent = `   ${dim(label.padEnd(12))} `;
      stdout.write(indent);
      this.#flow = { id, indent: " ".repeat(16), paint, column: 16 };
    }
    for (const piece of harmless(text).split(/(\n|(?<=\s)(?=\S))/)) this.#flowOn(piece);
  }

  #flowOn(piece: string): void {
    const flow = this.#flow;
    if (flow === undefined || piece === "") return;
    const width = widthOf(piece.trimEnd());
    if (piece === "\n" || (flow.column + width > columns() && flow.column > 16)) {
      stdout.write(`\n${flow.indent}`);
      flow.column = 16;
      if (piece === "\n") return;
    }
    for (let rest = piece; rest !== ""; ) {
      const part = rest.slice(0, columns() - 16); // a word that is longer than a line
      rest = rest.slice(part.length);
      stdout.write(flow.paint(part));
      flow.column += widthOf(part);
      if (rest !== "") this.#flowOn("\n");
    }
  }

  #line(text: string): void {
    this.#end();
    stdout.write(`${text}\n`);
  }

  #end(): void {
    if (this.#flow !== undefined) stdout.write("\n");
    this.#flow = undefined;
  }
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(" ")) {
      if (line !== "" && widthOf(`${line} ${word}`) > width) {
        lines.push(line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines.map((line) => cut(line, width));
}
