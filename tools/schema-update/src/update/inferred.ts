import { buildIr } from "@acp-kit/codegen/build-ir";
import { completeGates } from "@acp-kit/codegen/complete-gates";
import { checkDialect } from "@acp-kit/codegen/dialect";
import { gates } from "@acp-kit/codegen/gates";
import type { LoadedSchema } from "@acp-kit/codegen/load";
import type { SchemaFile } from "../source/schema-file.js";

/**
 * Returns the gates that the generator inferred from the descriptions of new methods, one unconfirmed sentence for each method. Empty for a
 * file that the generator refuses, because the generator reports that itself.
 */
export function inferredLines(files: readonly SchemaFile[]): readonly string[] {
  return files.flatMap(({ protocolVersion, stability, document }) => {
    const unstable = stability === "unstable";
    const id = `v${protocolVersion}${unstable ? "-unstable" : ""}`;
    const table = gates[id];
    if (table === undefined) return [];
    try {
      const raw = document as unknown as LoadedSchema["document"];
      checkDialect(raw);
      const source = { path: "", package: "", sha256: "" };
      const ir = buildIr({ id, protocolVersion, unstable, source, document: raw });
      return completeGates(ir, table).inferred.map(({ side, method, gate }) => {
        const opened =
          typeof gate !== "string" && "capability" in gate
            ? `needs ${gate.capability.map((path) => `\`${path}\``).join(" or ")}`
            : "needs no capability, because the schema names none: calls are never rejected, and a handler is optional";
        return `\`${method}\` (${id}, handled by the ${side}) ${opened}`;
      });
    } catch {
      return [];
    }
  });
}
