import { Ajv2020 } from "ajv/dist/2020.js";
import type { Subject } from "./schemas.js";

/** Returns whether ajv accepts a value as a definition of the upstream file. */
export type AjvOracle = (definition: string, value: unknown) => boolean;

/** One oracle for each schema: ajv takes seconds to compile all definitions of a schema. */
const oracles = new Map<Subject, AjvOracle>();

/** Returns the oracle of a schema. All tests of a process share it. */
export function ajvOracle(subject: Subject): AjvOracle {
  const oracle = oracles.get(subject) ?? createOracle(subject);
  oracles.set(subject, oracle);
  return oracle;
}

function createOracle({ document }: Subject): AjvOracle {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    formats: {
      uint16: range(0, 65_535),
      uint32: range(0, 4_294_967_295),
      int32: range(-2_147_483_648, 2_147_483_647),
      // Our own rule, not the schema's: integers that JavaScript cannot represent exactly are refused.
      int64: { type: "number", validate: Number.isSafeInteger },
      uint64: { type: "number", validate: Number.isSafeInteger },
      double: true,
      regex: true,
      uri: { type: "string", validate: (text: string) => URL.canParse(text) },
      // An implementation independent of ours: it uses JavaScript's `Date`.
      "date-time": {
        type: "string",
        validate: (text: string) =>
          /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
      },
    },
  });
  ajv.addSchema(document, "acp");
  return (definition, value) => ajv.validate(`acp#/$defs/${definition}`, value) as boolean;
}

function range(minimum: number, maximum: number) {
  return { type: "number" as const, validate: (value: number) => value >= minimum && value <= maximum };
}
