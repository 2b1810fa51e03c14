import { expect, it } from "vitest";
import { utf8Length } from "./message-text.js";

it.each([1, 2_000])("counts the bytes of a text that is repeated %d times, as an encoder does", (count) => {
  for (const part of ["", "a", "é", "€", "😀", 'a é € 😀 "\n'])
    expect(utf8Length(part.repeat(count))).toBe(new TextEncoder().encode(part.repeat(count)).length);
});
