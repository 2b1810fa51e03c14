import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** A version of the protocol: where our types of it are, and theirs. */
export interface Version {
  readonly id: string;
  readonly ours: string;
  readonly theirs: string;
}

const schema = fileURLToPath(new URL("../../../packages/schema/src/gen/", import.meta.url));
const sdk = dirname(dirname(createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/schema.json")));
