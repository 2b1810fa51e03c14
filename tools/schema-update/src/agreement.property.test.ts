import { buildIr } from "@acp-kit/codegen/build-ir";
import { dialectErrors } from "@acp-kit/codegen/dialect";
import { emitDecoders } from "@acp-kit/codegen/emit-decoders";
import type { LoadedSchema } from "@acp-kit/codegen/load";
import { surfaceOf } from "@acp-kit/codegen/surface";
import { gatesOf } from "@acp-kit/codegen/understand";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffSources, type SourceDiff } from "./diff-sources.js";
import { toMarkdown } from "./report/markdown.js";
import { readSchemaFile, type Source } from "./source/schema-file.js";
import { bumpsFor } from "./update/bumps.js";
import { changesetText } from "./update/changeset.js";

type Json = Record<string, unknown>;

const ref = (name: string): Json => ({ $ref: `#/$defs/${name}` });
const tagged = (tag: string, payload: string): Json => ({
  type: "object",
  properties: { type: { type: "string", const: tag } },
  required: ["type"],
  allOf: [ref(payload)],
});

/** A small protocol in the generator's dialect, with one example of each construct that an edit can change. */
function protocol(): Json {
  const text = { type: "string" };
  const call = { "x-method": "do/it", "x-side": "agent" };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    anyOf: [],
    $defs: {
      AgentCapabilities: { type: "object", properties: { fast: { type: "boolean", default: false } } },
      ErrorCode: {
        anyOf: [
          { title: "Parse error", type: "integer", const: -32700 },
          { title: "Other", type: "integer", format: "int32" },
        ],
      },
      ItId: text,
      Mode: {
        oneOf: [
          { type: "string", const: "on" },
          { type: "string", const: "off" },
        ],
      },
      Text: { type: "object", properties: { text }, required: ["text"] },
      Image: {
        type: "object",
        properties: { data: text, width: { type: "integer", format: "uint32", minimum: 0 } },
        required: ["data"],
      },
      Block: { oneOf: [tagged("text", "Text"), tagged("image", "Image")] },
      Server: {
        anyOf: [tagged("remote", "Text"), { title: "stdio", allOf: [ref("Image")] }],
      },
      Content: {
        anyOf: [
          { title: "One", allOf: [ref("Text")] },
          { title: "Two", allOf: [ref("Image")] },
        ],
      },
      DoRequest: {
        type: "object",
        properties: {
          id: ref("ItId"),
          mode: { anyOf: [ref("Mode"), { type: "null" }], "x-deserialize-default-on-error": true },
          blocks: { type: "array", items: ref("Block") },
          server: ref("Server"),
          content: ref("Content"),
          capabilities: ref("AgentCapabilities"),
          code: ref("ErrorCode"),
        },
        required: ["id", "blocks"],
        ...call,
      },
      DoResponse: { type: "object", properties: { mode: ref("Mode") }, ...call },
      StopNotification: {
        type: "object",
        properties: { id: ref("ItId") },
        required: ["id"],
        "x-method": "do/stop",
        "x-side": "agent",
      },
      ClientRequest: { type: "object", properties: { params: { anyOf: [ref("DoRequest")] } }, "x-docs-ignore": true },
      ClientNotification: {
        type: "object",
        properties: { params: { anyOf: [ref("StopNotification")] } },
        "x-docs-ignore": true,
      },
      AgentResponse: {
        anyOf: [{ type: "object", properties: { result: { anyOf: [ref("DoResponse")] } } }],
        "x-docs-ignore": true,
      },
    },
  };
}

/** Returns the schema objects of a document that can be edited, outer ones first. */
function places(document: Json): Json[] {
  const found: Json[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const inner of value) visit(inner);
    else if (typeof value === "object" && value !== null) {
      found.push(value as Json);
      for (const inner of Object.values(value)) visit(inner);
    }
  };
  for (const [name, schema] of Object.entries(document.$defs as Json))
    if (!/^(Client|Agent)(Request|Response|Notification)$/.test(name)) visit(schema);
  return found;
}

const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(1, items.length)];

/** One edit of a schema author. The numbers choose the place. */
const edits: Readonly<Record<string, (document: Json, at: number, also: number) => void>> = {
  "renames a definition": (document, at) => {
    const name =
      pick(["ItId", "Mode", "Text", "Image", "Block", "Server", "Content", "DoRequest", "DoResponse"], at) ?? "";
    const text = JSON.stringify(document)
      .replaceAll(`"${name}":`, `"New${name}":`)
      .replaceAll(`/${name}"`, `/New${name}"`);
    document.$defs = (JSON.parse(text) as Json).$defs;
  },
  "changes a title": (document, at) => {
    const titled = places(document).filter((one) => typeof one.title === "string");
    const place = pick(titled, at);
    if (place !== undefined) place.title = `${String(place.title)} too`;
  },
  "adds a definition": (document) => {
    (document.$defs as Json).Extra = { type: "object", properties: { a: { type: "string" } } };
  },
  "adds a member": (document, at, also) => {
    const place = pick(
      places(document).filter((one) => typeof one.properties === "object"),
      at,
    );
    (place?.properties as Json).extra = also % 2 === 0 ? { type: "string" } : { type: ["integer", "null"], minimum: 1 };
  },
  "removes a member": (document, at, also) => {
    const place = pick(
      places(document).filter((one) => typeof one.properties === "object" && one["x-docs-ignore"] === undefined),
      at,
    );
    const name = pick(Object.keys(place?.properties as Json), also) ?? "";
    if (place === undefined) return;
    delete (place.properties as Json)[name];
    if (Array.isArray(place.required)) place.required = place.required.filter((one) => one !== name);
  },
  "makes a member required or optional": (document, at, also) => {
    const place = pick(
      places(document).filter((one) => typeof one.properties === "object"),
      at,
    );
    const name = pick(Object.keys((place?.properties ?? {}) as Json), also);
    if (place === undefined || name === undefined) return;
    const required = Array.isArray(place.required) ? (place.required as string[]) : [];
    place.required = required.includes(name) ? required.filter((one) => one !== name) : [...required, name];
  },
  "reverses the order of alternatives": (document, at) => {
    const place = pick(
      places(document).filter((one) => Array.isArray(one.anyOf) || Array.isArray(one.oneOf)),
      at,
    );
    const list = (place?.anyOf ?? place?.oneOf) as unknown[] | undefined;
    list?.reverse();
  },
  "removes an alternative": (document, at, also) => {
    const place = pick(
      places(document).filter((one) => Array.isArray(one.oneOf) || Array.isArray(one.anyOf)),
      at,
    );
    const list = (place?.oneOf ?? place?.anyOf) as unknown[] | undefined;
    if (list !== undefined && list.length > 1) list.splice(also % list.length, 1);
  },
  "adds a variant": (document) => {
    (document.$defs as { Block: { oneOf: Json[] } }).Block.oneOf.push(tagged("sound", "Image"));
  },
  "adds a value": (document) => {
    (document.$defs as { Mode: { oneOf: Json[] } }).Mode.oneOf.push({ type: "string", const: "auto" });
  },
  "adds or removes a recovery rule": (document, at) => {
    const members = places(document).flatMap((one) => Object.values((one.properties ?? {}) as Json) as Json[]);
    const place = pick(
      members.filter((one) => !("const" in one)),
      at,
    );
    if (place === undefined) return;
    if (place["x-deserialize-default-on-error"] === true) delete place["x-deserialize-default-on-error"];
    else place["x-deserialize-default-on-error"] = true;
  },
  "changes a bound": (document, at) => {
    const place = pick(
      places(document).filter((one) => one.type === "integer" && !("const" in one)),
      at,
    );
    if (place !== undefined) place.minimum = 7;
  },
  "changes a default": (document) => {
    const { fast } = (document.$defs as { AgentCapabilities: { properties: { fast?: Json } } }).AgentCapabilities
      .properties;
    if (fast !== undefined) fast.default = fast.default !== true;
  },
  "renames a method": (document, at) => {
    const text = JSON.stringify(document).replaceAll(pick(["do/it", "do/stop"], at) ?? "", "do/more");
    document.$defs = (JSON.parse(text) as Json).$defs;
  },
  "changes a description": (document, at) => {
    const place = pick(
      places(document).filter((one) => typeof one.type === "string"),
      at,
    );
    if (place !== undefined) place.description = "Other words.";
  },
};

/** The code generated from a schema: its exports with their declarations, and the module of its decoders. */
interface Generated {
  readonly exports: ReadonlyMap<string, string>;
  readonly decoders: string;
}

function generated(document: Json): Generated | undefined {
  const source = { path: "", package: "", sha256: "" };
  const schema = { id: "v1", protocolVersion: 1, unstable: false, source, document } as unknown as LoadedSchema;
  try {
    if (dialectErrors(schema.document).length > 0) return undefined;
    const ir = buildIr(schema);
    return { exports: surfaceOf(ir, gatesOf(ir)), decoders: emitDecoders(ir) };
  } catch {
    // The edit left the dialect: the generator stops, and nothing is adopted.
    return undefined;
  }
}

function source(label: string, document: Json): Source {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const about = { package: undefined, version: undefined, license: undefined };
  return { label, origin: label, ...about, files: [readSchemaFile("schema/v1/schema.json", bytes, [])] };
}

const differing = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));

function verdictOf(before: Json, after: Json): { diff: SourceDiff; report: string; changeset: string; bump: string } {
  const diff = diffSources(source("before", before), source("after", after));
  const packages = [{ name: "@acp-kit/schema", version: "1.0.0", imports: new Set<string>(), reexports: new Map() }];
  const bumps = bumpsFor(diff, packages);
  const changeset = changesetText(diff, bumps, { now: "after", before: "before" });
  return { diff, report: toMarkdown(diff), changeset, bump: bumps.get("@acp-kit/schema") ?? "none" };
}

describe("report, changeset and bump never contradict the generated code", () => {
  it("the generator accepts the protocol before the edits", () => {
    expect(generated(protocol())?.exports.size).toBeGreaterThan(20);
  });

  it.each(Object.keys(edits))("after the edit: %s", (name) => {
    let compared = 0;
    fc.assert(
      fc.property(fc.nat(200), fc.nat(20), fc.constantFrom(name, ...Object.keys(edits)), (at, also, second) => {
        const [before, after] = [protocol(), protocol()];
        // Renamings come last, because the other edits find their definitions by name.
        const order = second.startsWith("renames") ? [name, second] : [second, name];
        for (const [index, one] of [...new Set(order)].entries())
          edits[one]?.(after, index === 0 ? at : also, index === 0 ? also : at);
        const [was, is] = [generated(before), generated(after)];
        if (was === undefined || is === undefined) return;
        compared++;
        const exports = differing(was.exports, is.exports);
        const { diff, report, changeset, bump } = verdictOf(before, after);
        const differences = diff.schemas.flatMap((one) => one.differences);
        if (JSON.stringify(before) !== JSON.stringify(after)) expect(differences).not.toEqual([]);
        // The text names every kind of difference.
        for (const { path, code } of differences.slice(0, 1))
          if (code !== "spelling") expect(`${report}${changeset}`).toContain(`\`${path}\``);
        const isFelt = exports.length > 0 || was.decoders !== is.decoders;
        if (isFelt && differences.every(({ effect }) => effect === "documentation"))
          expect([...differences.map(({ code }) => code), name, second]).toContain(
            "reverses the order of alternatives",
          );
        if (exports.length > 0) expect(bump).not.toBe("patch");
        // The report names a removed export, and the bump is major.
        const removed = [...was.exports.keys()].filter((one) => !is.exports.has(one));
        const reported = differences.filter(({ effect }) => effect === "api").map(({ path }) => path);
        expect(reported.sort()).toEqual(removed.sort());
        if (removed.length > 0) expect(bump).toBe("major");
        for (const one of removed) expect(report).toContain(`\`${one}\``);
      }),
      { numRuns: 25 },
    );
    expect(compared).toBeGreaterThan(0);
  });
});
