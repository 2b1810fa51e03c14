import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadManifest, loadSchema, readSchema, schemaDirectory, schemaPaths } from "./load.js";

const manifest = loadManifest();
const bytes = (path: string) => readFileSync(join(schemaDirectory, path));

describe("the vendored schema files", () => {
  it.each(schemaPaths)("%s has exactly the bytes that the manifest describes", (path) => {
    expect(loadSchema(join(schemaDirectory, path)).source.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("are exactly the files in the manifest", () => {
    expect(manifest.files.map(({ path }) => path)).toEqual(schemaPaths);
  });

  it("are listed with their source", () => {
    // npm, an address, or a name: never a local directory.
    for (const source of [manifest.source, ...manifest.files.flatMap((file) => file.source ?? [])]) {
      expect(source).toMatch(/^(npm:|https:\/\/|file:)[^\s]+$/);
      expect(source).not.toMatch(/^file:.*(\/\/|\.\.|\\)|^file:\//);
    }
    expect(manifest.license).toBe("Apache-2.0");
  });

  it("are adopted completely: generation and type check succeeded", () => {
    expect(manifest.unfinished).toBeUndefined();
    expect(manifest.undecided).toBeUndefined();
  });

  it("have the version and the stability of their path", () => {
    const ids = schemaPaths.map((path) => {
      const { id, protocolVersion, unstable } = loadSchema(join(schemaDirectory, path));
      return [id, protocolVersion, unstable];
    });
    expect(ids).toEqual([
      ["v1", 1, false],
      ["v1-unstable", 1, true],
      ["v2", 2, false],
      ["v2-unstable", 2, true],
    ]);
  });
});

describe("loading a file", () => {
  it("fails if its line endings were changed", () => {
    const changed = Buffer.from(bytes("v1/schema.json").toString("utf8").replaceAll("\n", "\r\n"));
    expect(() => readSchema("v1/schema.json", changed, manifest)).toThrow(
      /is not the file that schema\/manifest\.json describes/,
    );
  });

  it("fails if the manifest does not list it", () => {
    expect(() => readSchema("v3/schema.json", bytes("v1/schema.json"), manifest)).toThrow(
      "schema/v3/schema.json is not listed in schema/manifest.json",
    );
  });

  it("fails if the manifest states another number of definitions", () => {
    const wrong = { ...manifest, files: manifest.files.map((file) => ({ ...file, definitions: 1 })) };
    expect(() => readSchema("v1/schema.json", bytes("v1/schema.json"), wrong)).toThrow(
      /^schema\/v1\/schema\.json has \d+ definitions, but schema\/manifest\.json says 1;/,
    );
  });
});
