import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildIr } from "../src/build-ir.js";
import { checkDialect } from "../src/dialect.js";
import type { Gates } from "../src/gates.js";
import type { SchemaIr } from "../src/ir.js";
import type { RawDocument } from "../src/raw-schema.js";

/** Has a folder for each construct of the schema, with a small input and the expected files. */
const casesDirectory = fileURLToPath(new URL("cases/", import.meta.url));

/** A small schema and its expected output. */
export interface Case {
  readonly name: string;
  readonly ir: SchemaIr;
  /** The gates of a case that is about methods. Only these cases generate method tables. */
  readonly gates: Gates | undefined;
  readonly expected: string;
}

/** Reads every case, sorted by name. */
export function loadCases(): Case[] {
  return readdirSync(casesDirectory)
    .sort()
    .map((name) => {
      const directory = join(casesDirectory, name);
      const gates = join(directory, "gates.json");
      return {
        name,
        ir: irOf(JSON.parse(readFileSync(join(directory, "input.json"), "utf8")) as RawDocument),
        gates: existsSync(gates) ? (JSON.parse(readFileSync(gates, "utf8")) as Gates) : undefined,
        expected: join(directory, "expected"),
      };
    });
}

/** Checks the dialect of a document that is not in a file, and converts the document to the IR. */
export function irOf(document: RawDocument): SchemaIr {
  checkDialect(document);
  const source = { path: "input.json", package: "this case", sha256: "-" };
  return buildIr({ id: "case", protocolVersion: 1, unstable: false, source, document });
}

/** Creates a document with these definitions and no messages. */
export function documentOf($defs: RawDocument["$defs"]): RawDocument {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", anyOf: [], $defs };
}
