import { _, type CodeKeywordDefinition, type KeywordCxt, Name, stringify } from "ajv";

/**
 * Custom keywords for ajv, for constructs that need long schemas in draft-07: a choice by the tag, so that the error is
 * that of the tagged variant; optional references without an `anyOf`; formats without ajv's runtime library.
 */
export const ajvKeywords: readonly CodeKeywordDefinition[] = [
  {
    keyword: "acpTagged",
    type: "object",
    schemaType: "object",
    trackErrors: true,
    error: {
      message: "",
      params: ({ schema: { tag, values, open } }) =>
        open ? _`{tag: ${tag}}` : _`{tag: ${tag}, allowedValues: ${stringify(values.flat())}}`,
    },
    code: tagged,
  },
  { keyword: "acpNullable", schemaType: "object", code: nullable },
  {
    keyword: "acpMinLength",
    type: "string",
    schemaType: "number",
    error: { message: "", params: ({ schema }) => _`{limit: ${schema}}` },
    code: (cxt) => cxt.fail(_`[...${cxt.data}].length < ${cxt.schema}`),
  },
  {
    keyword: "acpFormat",
    type: "string",
    schemaType: "string",
    error: { message: "", params: ({ schema }) => _`{format: ${schema}}` },
    code: (cxt) => cxt.fail(_`!${new Name(formats[cxt.schema as string] ?? "")}(${cxt.data})`),
  },
];

/** The keywords of `acpTagged` that contain sub-schemas. */
export const ajvVocabulary: readonly string[] = ["acpCases", "acpOther", "acpUntagged"];

/** The names of the runtime functions that check the formats of `acpFormat`. */
export const formats: Readonly<Record<string, string>> = { uri: "isUri", "date-time": "isDateTime" };

/** Compiles the keyword that accepts `null`, or a value that matches the schema. */
function nullable(cxt: KeywordCxt): void {
  const { gen, data } = cxt;
  const valid = gen.let("valid", true);
  gen.if(_`${data} !== null`, () => {
    const inner = gen.name("valid");
    cxt.subschema({ keyword: "acpNullable" }, inner);
    gen.assign(valid, inner);
  });
  cxt.ok(valid);
}

/**
 * Compiles a tagged union: the case of the tag, the catch-all for an unknown tag, and the alternative without the tag
 * (which `anyOf` also allows). The errors of the case come first, because the sender intended that variant.
 */
function tagged(cxt: KeywordCxt): void {
  const { gen, data, it } = cxt;
  const { tag, values, open } = cxt.schema as { tag: string; values: string[][]; open: boolean };
  const hasUntagged = it.schema.acpUntagged !== undefined;
  const valid = gen.let("valid", false);
  const value = gen.const("tag", _`${data}${property(tag)}`);
  const apply = (keyword: string, schemaProp?: string) => {
    const inner = gen.name("valid");
    // Inside a composite rule, ajv collects errors instead of returning at the first one.
    const composite = hasUntagged ? { compositeRule: true as const } : {};
    cxt.subschema({ keyword, ...(schemaProp === undefined ? {} : { schemaProp }), ...composite }, inner);
    gen.assign(valid, inner);
  };
  gen.if(false);
  values.forEach((alternatives, index) => {
    gen.elseIf(alternatives.map((one) => _`${value} === ${one}`).reduce((a, b) => _`${a} || ${b}`));
    apply("acpCases", String(index));
  });
  if (open) {
    gen.elseIf(_`typeof ${value} == "string"`);
    apply("acpOther");
  }
  if (!hasUntagged) {
    gen.else();
    cxt.error();
    gen.endIf();
    cxt.ok(valid);
    return;
  }
  gen.endIf();
  gen.if(_`!${valid}`, () => apply("acpUntagged"));
  cxt.result(
    valid,
    () => cxt.reset(),
    () => cxt.error(true),
  );
}

function property(name: string): ReturnType<typeof _> {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? _`.${new Name(name)}` : _`[${name}]`;
}
