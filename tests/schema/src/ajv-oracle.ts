import { Ajv2020 } from "ajv/dist/2020.js";
import type { Subject } from "./schemas.js";

/** ajv's verdict on the upstream file itself, definition by definition. */
export function ajvOracle({ document }: Subject): (definition: string, value: unknown) => boolean {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    formats: {
      uint16: range(0, 65_535),
      uint32: range(0, 4_294_967_295),
      int32: range(-2_147_483_648, 2_147_483_647),
      // A rule of ours, not of the schema: integers that JavaScript cannot hold exactly are refused.
      int64: { type: "number", validate: Number.isSafeInteger },
      uint64: { type: "number", validate: Number.isSafeInteger },
      double: true,
      regex: true,
      uri: { type: "string", validate: (text: string) => URL.canParse(text) },
      // Another implementation than ours: this one asks the clock of JavaScript.
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
