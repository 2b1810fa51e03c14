import { describe, expect, it } from "vitest";
import { release } from "../../test/fixtures/releases.js";
import { diffSources, type SourceDiff } from "../diff-sources.js";
import { readSchemaFile, type Source } from "../source/schema-file.js";
import { bumpsFor } from "./bumps.js";
import { changesetText } from "./changeset.js";

type Json = Record<string, unknown>;
type Definitions = Record<string, Json>;

/** Creates the release after 2.4.0: its files of version 1 with an edit. */
function edited(
  edit: (definitions: Definitions, path: string) => void,
  order: (value: Json) => Json = (v) => v,
): Source {
  const whole = release("2.4.0");
  const paths = whole.files.map(({ path }) => path);
  const files = whole.files.map((file) => {
    if (file.protocolVersion !== 1) return file;
    const document = JSON.parse(new TextDecoder().decode(file.bytes)) as Json & { $defs: Definitions };
    edit(document.$defs, file.path);
    return readSchemaFile(file.path, new TextEncoder().encode(JSON.stringify(order(document))), paths);
  });
  return { ...whole, label: "next", files };
}

function compared(after: Source): { diff: SourceDiff; text: string; bump: string | undefined } {
  const diff = diffSources(release("2.4.0"), after);
  const packages = [{ name: "@acp-kit/schema", version: "1.0.0", imports: new Set<string>(), reexports: new Map() }];
  const bumps = bumpsFor(diff, packages);
  const text = changesetText(diff, bumps, { now: "next", before: "2.4.0" });
  return { diff, text, bump: bumps.get("@acp-kit/schema") };
}

/** Reverses the members of every object, as another serializer might. */
function reversed(value: Json): Json {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).reverse())
        : inner,
    ),
  ) as Json;
}

const replaced = (definitions: Definitions, from: string, to: string): void => {
  const text = JSON.stringify(definitions).replaceAll(from, to);
  for (const name of Object.keys(definitions)) delete definitions[name];
  Object.assign(definitions, JSON.parse(text));
};

const membersOf = (definitions: Definitions, name: string) => definitions[name]?.properties as Json;

describe("the changeset of", () => {
  it("a file in another order with one changed description says only that", () => {
    const after = edited((definitions) => {
      Object.assign(definitions.ToolCall ?? {}, { description: "Other words." });
    }, reversed);
    const { diff, text, bump } = compared(after);
    expect(diff.schemas[0]?.differences).toMatchObject([{ code: "documentation", path: "ToolCall" }]);
    expect(bump).toBe("patch");
    expect(text).toContain("`@acp-kit/types` (v1):\n\n- Changed descriptions: 1 (`ToolCall`).\n");
    expect(text).toContain("`@acp-kit/schema/unstable` (v1 unstable):\n\n- One change of v1 applies here, too.\n");
  });

  it("a method that both schemas of a version gain says so for both", () => {
    const { text, bump } = compared(
      edited((definitions) => replaced(definitions, '"x-method":"session/delete"', '"x-method":"session/erase"')),
    );
    expect(bump).toBe("major");
    expect(text).toMatch(
      /\(v1\):\n\n- `session\/delete` was removed; clients probably have to call `session\/erase` instead/,
    );
    expect(text).toContain("- New method: `session/erase`.");
    expect(text).toMatch(/\(v1 unstable\):\n\n- \d+ changes of v1 apply here, too\./);
  });

  it("a definition that was split names the new exports", () => {
    const after = edited((definitions) => {
      definitions.CostAmount = { description: "An amount.", type: "number", format: "double" };
      membersOf(definitions, "Cost").amount = { allOf: [{ $ref: "#/$defs/CostAmount" }], description: "The amount." };
    });
    const { text, bump } = compared(after);
    expect(bump).toBe("minor");
    expect(text).toContain("- New export: `CostAmount`.\n- Export with a different declaration: `Cost`.");
  });

  it("a changed title names the types that it renames, and the bump is major", () => {
    const after = edited((definitions) => replaced(definitions, '"title":"stdio"', '"title":"local"'));
    const { text, bump } = compared(after);
    expect(bump).toBe("major");
    expect(text).toMatch(/- Renamed exports?: .*`StdioMcpServer` → `LocalMcpServer`/);
  });

  it("a changed default names the default", () => {
    const after = edited((definitions) => {
      membersOf(definitions, "AgentCapabilities").loadSession = { type: "boolean", default: true };
    });
    const { text, bump } = compared(after);
    expect(bump).toBe("minor");
    expect(text).toContain("- `AgentCapabilities.loadSession` has the default `true`, was `false`;");
  });

  it("a file with other white space says that types and decoders are the same", () => {
    const { diff, text, bump } = compared(edited(() => undefined));
    expect(diff.effect).toBe("documentation");
    expect(bump).toBe("patch");
    expect(text).toContain(
      "- `(schema)` is spelled differently, or its parts are in another order; types and decoders",
    );
  });
});
