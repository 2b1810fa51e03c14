import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { tarball, temporaryTree } from "../../test/fixtures/tree.js";
import { parseNpmSpec } from "./npm.js";
import { openSource } from "./open-source.js";
import { type Source, SourceError } from "./schema-file.js";
import { parseSpecification, type Repository } from "./specification.js";

const stable = JSON.stringify({
  $defs: { ReadRequest: { type: "object", "x-method": "fs/read_text_file", "x-side": "client" } },
});
const unstable = JSON.stringify({
  $defs: {
    ReadRequest: { type: "object", "x-method": "fs/read_text_file", "x-side": "client" },
    Draft: { description: "**UNSTABLE**\n\nThis may change." },
  },
});
const second = JSON.stringify({
  $defs: { UpdateSessionNotification: { type: "object", "x-method": "session/update", "x-side": "client" } },
});

/** The specification's repository, in which each protocol version has a release of its own. */
function repositoryFiles(): Record<string, string> {
  const marker = (version: string) => `[package]\nname = "agent-client-protocol-json-schema"\nversion = "${version}"\n`;
  return {
    "package.json": '{"name":"@agentclientprotocol/schema","version":"0.0.0"}',
    "schema/v1/Cargo.toml": marker("1.34.0"),
    "schema/v1/meta.json": "{}",
    "schema/v1/schema.json": stable,
    "schema/v1/schema.unstable.json": unstable,
    "schema/v2/Cargo.toml": marker("2.0.0-alpha.17"),
    "schema/v2/schema.json": second,
    "schema/v2/schema.unstable.json": second,
  };
}

const releases = {
  package: "agentclientprotocol/agent-client-protocol",
  version: "schema-v1.34.0+schema-v2.0.0-alpha.17",
  origin: "github:agentclientprotocol/agent-client-protocol@schema-v1.34.0+schema-v2.0.0-alpha.17",
};

function recognised(source: Source): readonly string[] {
  return source.files.map((file) => `${file.path}: v${file.protocolVersion} ${file.stability}`);
}

describe("a directory", () => {
  const layouts: readonly (readonly [name: string, files: Record<string, string>, expected: readonly string[]])[] = [
    [
      "npm 2.x: four files",
      {
        "schema/v1/schema.json": stable,
        "schema/v1/schema.unstable.json": unstable,
        "schema/v2/schema.json": second,
        "schema/v2/schema.unstable.json": second,
      },
      [
        "schema/v1/schema.json: v1 stable",
        "schema/v1/schema.unstable.json: v1 unstable",
        "schema/v2/schema.json: v2 stable",
        "schema/v2/schema.unstable.json: v2 unstable",
      ],
    ],
    [
      "npm 1.x: schema.json is the unstable schema",
      { "schema/schema.json": unstable, "schema/v2/schema.unstable.json": second },
      ["schema/schema.json: v1 unstable", "schema/v2/schema.unstable.json: v2 unstable"],
    ],
    ["npm 0.x: one file", { "schema/schema.json": unstable }, ["schema/schema.json: v1 unstable"]],
    [
      "the repository before 0.7: schema.json beside a meta.json is the stable schema, even if it contains drafts",
      { "schema/schema.json": unstable, "schema/meta.json": "{}" },
      ["schema/schema.json: v1 stable"],
    ],
    [
      "the specification's repository today: one folder for each protocol version, with its release",
      repositoryFiles(),
      [
        "schema/v1/schema.json: v1 stable",
        "schema/v1/schema.unstable.json: v1 unstable",
        "schema/v2/schema.json: v2 stable",
        "schema/v2/schema.unstable.json: v2 unstable",
      ],
    ],
    [
      "downloaded releases of the specification: one folder for each",
      {
        "schema-v1.34.0/schema.json": stable,
        "schema-v1.34.0/schema.unstable.json": unstable,
        "schema-v2.0.0-alpha.17/schema.json": second,
        "schema-v2.0.0-alpha.17/schema.unstable.json": second,
      },
      [
        "schema-v1.34.0/schema.json: v1 stable",
        "schema-v1.34.0/schema.unstable.json: v1 unstable",
        "schema-v2.0.0-alpha.17/schema.json: v2 stable",
        "schema-v2.0.0-alpha.17/schema.unstable.json: v2 unstable",
      ],
    ],
    [
      "the repository up to 0.13.6: versions in the file names",
      {
        "schema/schema.json": stable,
        "schema/schema.unstable.json": unstable,
        "schema/schema.v2.unstable.json": second,
        "schema/meta.json": "{}",
      },
      [
        "schema/schema.json: v1 stable",
        "schema/schema.unstable.json: v1 unstable",
        "schema/schema.v2.unstable.json: v2 unstable",
      ],
    ],
    [
      "the repository today, with other JSON files in the same folders",
      {
        "schema/v1/schema.json": stable,
        "schema/v1/meta.json": "{}",
        "docs/old/schema/v1/schema.json": unstable,
        "package.json": "{}",
      },
      ["schema/v1/schema.json: v1 stable"],
    ],
    ["the schema folder itself", { "v2/schema.json": second }, ["v2/schema.json: v2 stable"]],
    [
      "the folder of one version: the content determines the version",
      { "schema.json": second },
      ["schema.json: v2 stable"],
    ],
  ];

  it.each(layouts)("%s", async (_, files, expected) => {
    using tree = temporaryTree(files);
    expect(recognised(await openSource(tree.root, "/"))).toEqual(expected);
  });

  it("is refused if it contains no schema", async () => {
    using tree = temporaryTree({ "package.json": "{}" });
    await expect(openSource(".", tree.root)).rejects.toThrow(/\. has no schema\.json/);
  });
});

describe("a file", () => {
  it("is recognised by its folder and by its content", async () => {
    using tree = temporaryTree({ "v2/schema.unstable.json": second, "mine.json": unstable, "sub/old.json": stable });
    expect(recognised(await openSource("v2/schema.unstable.json", tree.root))).toEqual([
      "v2/schema.unstable.json: v2 unstable",
    ]);
    expect(recognised(await openSource("mine.json", tree.root))[0]).toMatch(/mine\.json: v1 unstable$/);
    expect(recognised(await openSource("sub/old.json", tree.root))).toEqual(["old.json: v1 stable"]);
  });

  it("is refused if it is missing, not JSON, or not a schema", async () => {
    using tree = temporaryTree({ "a.json": "{", "b.json": "[]" });
    await expect(openSource("a.json", tree.root)).rejects.toThrow(/a\.json is not JSON/);
    await expect(openSource("b.json", tree.root)).rejects.toThrow(/b\.json is not a protocol schema: it has no \$defs/);
    await expect(openSource("c.json", tree.root)).rejects.toThrow(/"c\.json" is neither a file, a directory/);
  });

  it("may be a packed package", async () => {
    using tree = temporaryTree({
      "sdk.tgz": tarball({
        "package/package.json": '{"name":"x","version":"1.2.3","license":"MIT"}',
        "package/schema/v1/schema.json": stable,
      }),
    });
    const source = await openSource("sdk.tgz", tree.root);
    expect(recognised(source)).toEqual(["schema/v1/schema.json: v1 stable"]);
    expect(source).toMatchObject({ package: "x", version: "1.2.3", license: "MIT" });
    expect(new TextDecoder().decode(source.files[0]?.bytes)).toBe(stable);
  });
});

describe("an address", () => {
  it("is fetched; a response status other than 200 is an error with that status", async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === "/v1/schema.json" ? 200 : 404;
      response.end(stable);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(recognised(await openSource(`${base}/v1/schema.json`, "/"))).toEqual(["v1/schema.json: v1 stable"]);
      await expect(openSource(`${base}/none.json`, "/")).rejects.toThrow(/the server responded with 404/);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
    await expect(openSource(`${base}/v1/schema.json`, "/")).rejects.toThrow(SourceError);
  });
});

describe("an npm version", () => {
  it.each([
    ["2.4.0", "@agentclientprotocol/sdk", "2.4.0"],
    ["latest", "@agentclientprotocol/sdk", "latest"],
    ["^2.1.0", "@agentclientprotocol/sdk", "^2.1.0"],
    ["@agentclientprotocol/sdk", "@agentclientprotocol/sdk", "latest"],
    ["@agentclientprotocol/sdk@2.1.0", "@agentclientprotocol/sdk", "2.1.0"],
    ["npm:@agentclientprotocol/sdk@2.1.0", "@agentclientprotocol/sdk", "2.1.0"],
    ["npm:other@1", "other", "1"],
  ])("%s", (text, name, version) => {
    expect(parseNpmSpec(text)).toEqual({ name, version });
  });

  it.each(["schema", "./2.4.0/schema", "other@1", "old.json"])("%s is not a version", (text) => {
    expect(parseNpmSpec(text)).toBeUndefined();
  });
});

describe("a release of the specification's repository", () => {
  const v1 = "agentclientprotocol/agent-client-protocol schema-v1.34.0";
  const v2 = "agentclientprotocol/agent-client-protocol schema-v2.0.0-alpha.17";

  it("may be a checkout, whose folders name the releases", async () => {
    using tree = temporaryTree(repositoryFiles());
    const source = await openSource(tree.root, "/");
    expect(source).toMatchObject(releases);
    expect(source.files.map(({ release }) => release)).toEqual([v1, v1, v2, v2]);
  });

  it("may be the archive of a tag", async () => {
    const files = Object.entries(repositoryFiles()).map(([path, text]) => [
      `agent-client-protocol-1.34.0/${path}`,
      text,
    ]);
    using tree = temporaryTree({ "schema-v1.34.0.tar.gz": tarball(Object.fromEntries(files)) });
    expect(await openSource("schema-v1.34.0.tar.gz", tree.root)).toMatchObject(releases);
  });

  it("may be the folder of one protocol version's release", async () => {
    using tree = temporaryTree({
      "schema-v1.34.0/schema.json": stable,
      "schema-v1.34.0/schema.unstable.json": unstable,
    });
    const source = await openSource("schema-v1.34.0", tree.root);
    expect(source).toMatchObject({ version: "schema-v1.34.0" });
    expect(recognised(source)).toEqual([
      "schema-v1.34.0/schema.json: v1 stable",
      "schema-v1.34.0/schema.unstable.json: v1 unstable",
    ]);
  });

  const asked: string[] = [];
  const repository: Repository = {
    tags: () => ["schema-v1.4.0", "schema-v2.0.0-alpha.9", "schema-v1.34.0", "v1.99.0", "schema-v2.0.0-alpha.17", ""],
    download: async (url) => {
      asked.push(url);
      return new TextEncoder().encode(url.includes("unstable") ? unstable : stable);
    },
  };

  it("is downloaded by its tag; `specification` is the newest of each protocol version", async () => {
    expect(await openSource("specification", "/", repository)).toMatchObject(releases);
    const files = "https://github.com/agentclientprotocol/agent-client-protocol/releases/download";
    expect(asked.sort()).toEqual([
      `${files}/schema-v1.34.0/schema.json`,
      `${files}/schema-v1.34.0/schema.unstable.json`,
      `${files}/schema-v2.0.0-alpha.17/schema.json`,
      `${files}/schema-v2.0.0-alpha.17/schema.unstable.json`,
    ]);
    const one = await openSource("schema-v2.0.0-alpha.9", "/", repository);
    expect(one.files.map(({ protocolVersion }) => protocolVersion)).toEqual([2, 2]);
  });

  it.each([
    ["specification", []],
    ["schema-v1.34.0", ["schema-v1.34.0"]],
    [releases.origin, ["schema-v1.34.0", "schema-v2.0.0-alpha.17"]],
    ["schema", undefined],
    ["schema-v1", undefined],
    ["2.4.0", undefined],
  ])("%s", (text, tags) => {
    expect(parseSpecification(text)).toEqual(tags);
  });
});
