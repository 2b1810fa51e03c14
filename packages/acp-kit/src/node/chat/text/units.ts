import stringWidth from "string-width";

/** A unit of a line: a user-perceived character, or an escape sequence of a style, which has no width. */
export interface Unit {
  readonly text: string;
  readonly width: number;
  readonly isStyle: boolean;
}

const styles: RegExp = new RegExp(`${"\u001b"}\\[[0-9;]*m`, "g");
/** Matches a line in which each character has the width of one column. Most lines match. */
const plain = /^[ -~]*$/;
/** Characters that combine with neighbours: joiners, variations, flags, skin tones, tags, parts of Hangul. */
const joins =
  "\\u200c\\u200d\\ufe00-\\ufe0f\\u{1f1e6}-\\u{1f1ff}\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}\\u1100-\\u11ff\\ua960-\\ua97c\\ud7b0-\\ud7fb";
const mark = `(?![${joins}])\\p{M}`;
/** Matches a single character, a character with its combining marks, a run of joined characters, or anything else. */
const pieces: RegExp = new RegExp(
  `(?!\\p{M})[^${joins}](?!\\p{M}|[${joins}])|(?:(?!\\p{M})[^${joins}])?(?:${mark})+|(?<joined>[^${joins}]?[${joins}]+(?:[^${joins}][${joins}]+)*[^${joins}]?)|[\\s\\S]`,
  "gu",
);
/** The platform's segmenter, used only for joined characters, because it is much slower than the patterns. */
const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Maximum length of a character with its combining marks, to compute its width. Further marks are ignored. */
const maxCharacterLength = 32;
/** Maximum number of cached widths. The computation of a width takes much longer than a look-up. */
const maxRemembered = 4096;
const widths = new Map<string, number>();

/** Returns the width of a line in columns. Styles have no width. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const unit of unitsOf(text)) width += unit.width;
  return width;
}

/** Yields the units of a line. The library for widths gets single characters: it is quadratic for long texts. */
export function* unitsOf(text: string): Generator<Unit> {
  let from = 0;
  for (const { 0: sequence, index } of text.matchAll(styles)) {
    yield* charactersOf(text.slice(from, index));
    yield { text: sequence, width: 0, isStyle: true };
    from = index + sequence.length;
  }
  yield* charactersOf(text.slice(from));
}

function* charactersOf(text: string): Generator<Unit> {
  if (plain.test(text)) {
    for (const character of text) yield { text: character, width: 1, isStyle: false };
    return;
  }
  for (const { 0: piece, groups } of text.matchAll(pieces)) {
    if (groups?.joined === undefined) yield unitOf(piece);
    else for (const { segment } of characters.segment(piece)) yield unitOf(segment);
  }
}

function unitOf(character: string): Unit {
  return { text: character, width: characterWidth(character), isStyle: false };
}

function characterWidth(character: string): number {
  const head = character.length > maxCharacterLength ? character.slice(0, maxCharacterLength) : character;
  const known = widths.get(head);
  if (known !== undefined) return known;
  const width = stringWidth(head);
  if (widths.size >= maxRemembered) widths.clear();
  widths.set(head, width);
  return width;
}
