/** The place of a node in a schema file: its definition, and a JSON pointer from the document's root. */
export interface Place {
  /** The `$defs` key, or `(root)` for the envelopes in the root's `anyOf`. */
  readonly definition: string;
  readonly pointer: string;
}

/** Returns the place of a definition. */
export function definitionPlace(name: string): Place {
  return { definition: name, pointer: `/$defs/${escapeSegment(name)}` };
}

/** Returns the place below `place` under the given keys. */
export function below(place: Place, ...keys: (string | number)[]): Place {
  return {
    definition: place.definition,
    pointer: [place.pointer, ...keys.map((key) => escapeSegment(String(key)))].join("/"),
  };
}

/**
 * The error for a part of the schema that the generator does not support.
 *
 * A guess would produce types or decoders that are wrong, so generation stops. To continue: look at the place, decide
 * what the new form means, extend the dialect table and the IR, and add a case.
 */
export class DialectError extends Error {
  override readonly name = "DialectError";
  readonly definition: string;
  readonly pointer: string;

  constructor(place: Place, reason: string) {
    super(`${place.definition}: ${reason} (at #${place.pointer})`);
    this.definition = place.definition;
    this.pointer = place.pointer;
  }
}

function escapeSegment(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
