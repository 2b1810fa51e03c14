import { createHash } from "node:crypto";
import { buildIr } from "@acp-kit/codegen/build-ir";
import { buildNode } from "@acp-kit/codegen/build-node";
import { capabilityTree } from "@acp-kit/codegen/capability-tree";
import { completeGates, type InferredGate, tableOf } from "@acp-kit/codegen/complete-gates";
import { dialectErrors } from "@acp-kit/codegen/dialect";
import { type Gates, gates } from "@acp-kit/codegen/gates";
import type { Node, SchemaIr } from "@acp-kit/codegen/ir";
import { definitionPlace } from "@acp-kit/codegen/place";
import type { RawDocument, RawSchema } from "@acp-kit/codegen/raw-schema";
import { surfaceOf } from "@acp-kit/codegen/surface";
import { inPresentSpelling } from "./old-spellings.js";
import { type SchemaFile, SourceError } from "./source/schema-file.js";

/** The generator's view of a schema file: model, gates, and the exports of the generated code. */
export interface Model {
  readonly ir: SchemaIr;
  readonly gates: Gates;
  /** The gates of new methods, which the generator takes from descriptions. */
  readonly inferred: readonly InferredGate[];
  /** The ids of error responses, which belong to no method: `AgentResponse(Error).id` → its type. */
  readonly errorIds: ReadonlyMap<string, Node>;
  /** The paths of the capabilities: `client.session.notices`. */
  readonly capabilities: readonly string[];
  /** Each export with its declaration; `undefined` if no code can be generated from the file. */
  readonly exports: ReadonlyMap<string, string> | undefined;
  /** Why no code can be generated, although the messages can be compared. */
  readonly problem: string | undefined;
}

/** Most files of a release are unchanged, so models are kept by their bytes. */
const models = new Map<string, Model>();

/**
 * Reads a schema file with the generator.
 *
 * @throws {SourceError} with every problem, when the generator can't read the file.
 */
export function modelOf(file: SchemaFile): Model {
  const sum = createHash("sha256").update(file.bytes).digest("hex");
  const key = `v${file.protocolVersion} ${file.stability} ${sum}`;
  const known = models.get(key) ?? read(file);
  models.set(key, known);
  return known;
}

/** Returns why the generator can't read a file, one line for each problem; empty if it can. */
export function unreadableBecause(file: SchemaFile): readonly string[] {
  try {
    modelOf(file);
    return [];
  } catch (error) {
    if (error instanceof SourceError)
      return error.message
        .split("\n")
        .slice(1)
        .map((line) => line.replace("- ", ""));
    throw error;
  }
}

function read({ path, document, protocolVersion, stability }: SchemaFile): Model {
  const unstable = stability === "unstable";
  const id = `v${protocolVersion}${unstable ? "-unstable" : ""}`;
  const about = { id, protocolVersion, unstable, source: { path: "", package: "", sha256: "" } };
  const own = document as unknown as RawDocument;
  const current = irOf(own, about);
  const raw = typeof current === "string" ? inPresentSpelling(own) : own;
  const ir = typeof current === "string" ? irOf(raw, about, true) : current;
  if (typeof ir === "string") throw new SourceError(`The generator can't read ${path}:\n${ir}`);

  const { switches } = gates[id] ?? noGates;
  const tree = capabilityTree(ir, switches, false);
  const capabilities = [...tree].flatMap(([name, kind]) => (kind === "group" ? [] : [name]));
  const model = { ir, errorIds: errorIds(raw), capabilities };
  try {
    const { gates: table, inferred } = completeGates(ir, tableOf(ir));
    if (ir !== current) {
      const problem = "the generator does not know the spelling of this file";
      return { ...model, gates: table, inferred, exports: undefined, problem };
    }
    return { ...model, gates: table, inferred, exports: surfaceOf(ir, table), problem: undefined };
  } catch (error) {
    return { ...model, gates: noGates, inferred: [], exports: undefined, problem: (error as Error).message };
  }
}

const noGates: Gates = { methods: {}, payloads: [], switches: [], patches: {} };

/**
 * Builds the generator's model of a document.
 *
 * @param isOld - whether the file is of an earlier release: its formats may be others.
 * @returns the model, or the problems, one line for each.
 */
function irOf(
  document: RawDocument,
  about: Omit<SchemaIr, "definitions" | "methods">,
  isOld = false,
): SchemaIr | string {
  const errors = dialectErrors(document).filter(({ message }) => !isOld || !message.includes("unknown format"));
  if (errors.length > 0) return errors.map(({ message }) => `- ${message}`).join("\n");
  try {
    return buildIr({ ...about, document });
  } catch (error) {
    return `- ${(error as Error).message}`;
  }
}

function errorIds({ $defs }: RawDocument): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  for (const name of ["AgentResponse", "ClientResponse"]) {
    const branches: readonly RawSchema[] = $defs[name]?.anyOf ?? [];
    const id = branches.find(({ properties }) => properties?.error !== undefined)?.properties?.id;
    if (id !== undefined) found.set(`${name}(Error).id`, buildNode(id, definitionPlace(name)));
  }
  return found;
}
