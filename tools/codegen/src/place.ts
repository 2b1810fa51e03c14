/** Where in a schema file a node stands: the definition it belongs to and a JSON pointer from the document's root. */
export interface Place {
  /** The `$defs` key, or `(root)` for the envelopes in the root's `anyOf`. */
  readonly definition: string;
  readonly pointer: string;
}

/** The place of a definition itself. */
export function definitionPlace(name: string): Place {
  return { definition: name, pointer: `/$defs/${escapeSegment(name)}` };
}

/** The place of what stands below `place` under the given keys. */
export function below(place: Place, ...keys: (string | number)[]): Place {
  return {
    definition: place.definition,
    pointer: [place.pointer, ...keys.map((key) => escapeSegment(String(key)))].join("/"),
  };
}

/**
 * The schema contains something that the generator does not support.
 *
 * Guessing would produce types or decoders that are silently wrong, so generation stops here. To continue: read the place,
 * decide what the new form means, extend the dialect table and the IR, and add a case.
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
