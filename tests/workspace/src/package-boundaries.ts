/** Where an entry can run: anywhere with web globals, or only in Node. */
export type Platform = "neutral" | "node";

/** The boundaries and size limits of one published package. */
export interface PackageBoundary {
  /** The packages of this repository that its code, types and tests may import. */
  readonly imports: readonly string[];
  /** The packages of this repository that only its tests may import. */
  readonly testImports?: readonly string[];
  /** Third-party packages that its code imports. The commit that added one gives the reason. */
  readonly thirdParty?: readonly string[];
  /** Third-party packages that its users install in a version of their choice. */
  readonly peers?: readonly string[];
  /** Peer dependencies that only the packages of `thirdParty` import. */
  readonly passedPeers?: readonly string[];
  /** Optional peer dependencies of this repository, with the entries that import them. No other entry mentions them. */
  readonly optional?: Readonly<Record<string, readonly string[]>>;
  /** The packages that its web page, in the folder `page`, bundles. Its users install none of them. */
  readonly page?: readonly string[];
  /** The code entries of its export map, with the platform of each. */
  readonly entries: Readonly<Record<string, Platform>>;
  /** The entries of its export map that are not code. */
  readonly files?: readonly string[];
  /** Modules with side effects. A bundler may drop any other unused module. */
  readonly sideEffects?: readonly string[];
  /** The maximum size when installed, in kB (1000 bytes), without source maps. */
  readonly unpackedKb: number;
}

/**
 * The boundaries of every published package. The tests compare the sources, the manifests and the packed tarballs with
 * this list. A change here is a change of the architecture and is reviewed as such.
 */
export const packageBoundaries: Readonly<Record<string, PackageBoundary>> = {
  "@acp-kit/types": {
    imports: [],
    entries: {
      ".": "neutral",
      "./decode": "neutral",
      "./v2": "neutral",
      "./v2/decode": "neutral",
      "./internal": "neutral",
    },
    unpackedKb: 520,
  },
  "@acp-kit/schema": {
    imports: ["@acp-kit/types"],
    entries: {
      ".": "neutral",
      "./decode": "neutral",
      "./validate": "neutral",
      "./unstable": "neutral",
      "./unstable/decode": "neutral",
      "./unstable/validate": "neutral",
      "./v2": "neutral",
      "./v2/decode": "neutral",
      "./v2/validate": "neutral",
      "./v2/unstable": "neutral",
      "./v2/unstable/decode": "neutral",
      "./v2/unstable/validate": "neutral",
    },
    files: ["./v1/schema.json", "./v1/schema.unstable.json", "./v2/schema.json", "./v2/schema.unstable.json"],
    unpackedKb: 3000,
  },
  "@acp-kit/jsonrpc": { imports: [], entries: { ".": "neutral", "./internal": "neutral" }, unpackedKb: 194 },
  "@acp-kit/protocol": {
    imports: ["@acp-kit/jsonrpc", "@acp-kit/types"],
    optional: { "@acp-kit/schema": ["./unstable", "./strict", "./v2/strict"] },
    entries: {
      ".": "neutral",
      "./internal": "neutral",
      "./v2": "neutral",
      "./v2/strict": "neutral",
      "./unstable": "neutral",
      "./strict": "neutral",
    },
    unpackedKb: 83,
  },
  "@acp-kit/redact": {
    imports: ["@acp-kit/jsonrpc", "@acp-kit/protocol"],
    entries: { ".": "neutral" },
    unpackedKb: 65,
  },
  "@acp-kit/proxy": {
    imports: ["@acp-kit/jsonrpc", "@acp-kit/protocol", "@acp-kit/types"],
    testImports: ["@acp-kit/agent", "@acp-kit/client", "@acp-kit/redact", "@acp-kit/testing", "@acp-kit/v2"],
    entries: { ".": "neutral", "./middleware": "neutral", "./v2": "neutral" },
    unpackedKb: 172,
  },
  "@acp-kit/mcp": {
    imports: ["@acp-kit/jsonrpc", "@acp-kit/protocol", "@acp-kit/stdio"],
    testImports: ["@acp-kit/client", "@acp-kit/http", "@acp-kit/proxy", "@acp-kit/v2"],
    entries: { ".": "neutral", "./node": "node" },
    unpackedKb: 125,
  },
  "@acp-kit/v2": {
    imports: ["@acp-kit/jsonrpc", "@acp-kit/protocol", "@acp-kit/types"],
    testImports: ["@acp-kit/schema", "@acp-kit/sessions", "@acp-kit/testing"],
    optional: {
      "@acp-kit/agent": ["./agent"],
      "@acp-kit/client": ["./client"],
      "@acp-kit/gateway": ["./gateway"],
    },
    entries: {
      "./agent": "neutral",
      "./bridge": "neutral",
      "./client": "neutral",
      "./gateway": "neutral",
      "./internal": "neutral",
    },
    unpackedKb: 300,
  },
  "@acp-kit/stdio": {
    imports: ["@acp-kit/jsonrpc"],
    entries: { ".": "neutral", "./node": "node", "./node/guard": "node" },
    sideEffects: ["./dist/node/guard.js", "./src/node/guard.ts"],
    unpackedKb: 198,
  },
  "@acp-kit/http": {
    imports: ["@acp-kit/jsonrpc"],
    testImports: ["@acp-kit/agent", "@acp-kit/client", "@acp-kit/testing"],
    thirdParty: ["ws"],
    entries: { ".": "neutral", "./node": "node" },
    unpackedKb: 409,
  },
  "@acp-kit/agent": {
    imports: ["@acp-kit/protocol", "@acp-kit/types"],
    entries: { ".": "neutral", "./internal": "neutral", "./unstable": "neutral" },
    unpackedKb: 186,
  },
  "@acp-kit/client": {
    imports: ["@acp-kit/protocol", "@acp-kit/types"],
    testImports: ["@acp-kit/testing"],
    entries: { ".": "neutral", "./unstable": "neutral", "./internal": "neutral" },
    unpackedKb: 462,
  },
  "@acp-kit/everything-agent": {
    imports: ["@acp-kit/agent", "@acp-kit/protocol", "@acp-kit/stdio", "@acp-kit/types", "@acp-kit/v2"],
    entries: { ".": "neutral", "./node": "node" },
    unpackedKb: 153,
  },
  "@acp-kit/testing": {
    imports: [
      "@acp-kit/jsonrpc",
      "@acp-kit/protocol",
      "@acp-kit/redact",
      "@acp-kit/schema",
      "@acp-kit/stdio",
      "@acp-kit/types",
    ],
    entries: {
      ".": "neutral",
      "./recording": "neutral",
      "./v2": "neutral",
      "./vitest": "neutral",
      "./model": "node",
      "./node": "node",
    },
    unpackedKb: 412, // scripts, faults and replay know both versions of the protocol
  },
  "@acp-kit/conformance": {
    imports: ["@acp-kit/jsonrpc", "@acp-kit/schema", "@acp-kit/stdio", "@acp-kit/types"],
    thirdParty: ["ws"],
    entries: { ".": "neutral", "./node": "node" },
    unpackedKb: 949,
  },
  "@acp-kit/workspace": {
    imports: ["@acp-kit/protocol", "@acp-kit/stdio", "@acp-kit/types"],
    entries: { ".": "node" },
    unpackedKb: 153,
  },
  "@acp-kit/sessions": {
    imports: ["@acp-kit/agent", "@acp-kit/protocol", "@acp-kit/types"],
    testImports: ["@acp-kit/stdio"],
    thirdParty: ["libsql"],
    entries: { ".": "neutral", "./node": "node" },
    unpackedKb: 153,
  },
  "@acp-kit/gateway": {
    imports: ["@acp-kit/http", "@acp-kit/jsonrpc", "@acp-kit/sessions", "@acp-kit/types"],
    testImports: ["@acp-kit/agent", "@acp-kit/client", "@acp-kit/stdio"],
    thirdParty: ["libsql", "prom-client"],
    entries: {
      ".": "neutral",
      "./contract": "neutral",
      "./engine": "neutral",
      "./internal": "neutral",
      "./http": "neutral",
      "./node": "node",
      "./node/metrics": "node",
    },
    unpackedKb: 555,
  },
  "@acp-kit/gateway-redis": {
    imports: ["@acp-kit/gateway", "@acp-kit/jsonrpc"],
    thirdParty: ["@redis/client"],
    entries: { ".": "node" },
    unpackedKb: 60,
  },
  "@acp-kit/gateway-postgres": {
    imports: ["@acp-kit/gateway", "@acp-kit/jsonrpc"],
    thirdParty: ["pg"],
    entries: { ".": "node" },
    unpackedKb: 64,
  },
  "@acp-kit/registry": {
    imports: ["@acp-kit/client", "@acp-kit/protocol", "@acp-kit/stdio"],
    thirdParty: ["libsql", "semver", "tar", "yauzl"],
    entries: { ".": "node", "./quirks": "neutral" },
    unpackedKb: 300,
  },
  "@acp-kit/ai-sdk": {
    imports: ["@acp-kit/agent", "@acp-kit/client", "@acp-kit/mcp", "@acp-kit/protocol", "@acp-kit/types"],
    testImports: ["@acp-kit/stdio", "@acp-kit/testing", "@acp-kit/v2"],
    peers: ["@ai-sdk/mcp", "ai"],
    entries: { ".": "neutral", "./mcp": "neutral" },
    unpackedKb: 180,
  },
  "@acp-kit/inspector": {
    imports: [
      "@acp-kit/conformance",
      "@acp-kit/http",
      "@acp-kit/jsonrpc",
      "@acp-kit/schema",
      "@acp-kit/testing",
      "@acp-kit/workspace",
    ],
    testImports: ["@acp-kit/client", "@acp-kit/everything-agent", "@acp-kit/stdio", "@acp-kit/v2"],
    thirdParty: ["ws"],
    page: [
      "@acp-kit/client",
      "@acp-kit/react",
      "@acp-kit/testing",
      "@acp-kit/types",
      "@acp-kit/v2",
      "diff",
      "react",
      "react-dom",
    ],
    entries: { ".": "node" },
    unpackedKb: 640, // its page reads both versions of the protocol
  },
  "@acp-kit/react": {
    imports: ["@acp-kit/client", "@acp-kit/protocol", "@acp-kit/types"],
    testImports: ["@acp-kit/testing", "@acp-kit/v2"],
    thirdParty: ["@tanstack/react-virtual", "anser", "diff", "marked", "remend"],
    peers: ["react"],
    passedPeers: ["react-dom"],
    entries: { ".": "neutral" },
    files: ["./theme.css"],
    sideEffects: ["./theme.css"],
    unpackedKb: 183,
  },
  "create-acp-agent": { imports: [], entries: { ".": "node" }, unpackedKb: 40 },
  "create-acp-client": { imports: ["create-acp-agent"], entries: {}, unpackedKb: 40 },
  "acp-kit": {
    thirdParty: ["commander", "diff", "marked", "string-width"],
    imports: [
      "@acp-kit/agent",
      "@acp-kit/client",
      "@acp-kit/conformance",
      "@acp-kit/everything-agent",
      "@acp-kit/gateway",
      "@acp-kit/http",
      "@acp-kit/mcp",
      "@acp-kit/protocol",
      "@acp-kit/proxy",
      "@acp-kit/redact",
      "@acp-kit/registry",
      "@acp-kit/stdio",
      "@acp-kit/testing",
      "@acp-kit/types",
      "@acp-kit/v2",
      "@acp-kit/workspace",
    ],
    optional: {
      "@acp-kit/gateway-postgres": ["./node/serve/engine-server"],
      "@acp-kit/gateway-redis": ["./node/serve/engine-server"],
      "@acp-kit/inspector": ["./node/inspect/load-inspector"],
    },
    entries: { ".": "node", "./cli": "node" },
    files: ["./serve-config.schema.json"],
    unpackedKb: 640,
  },
};

/** The size limits of a stdio agent, in kB. */
export const agent = {
  packages: ["@acp-kit/agent", "@acp-kit/stdio"],
  entries: ["@acp-kit/agent", "@acp-kit/stdio/node"],
  /** On the disk, with dependencies. Half of it is types and decoders of both protocol versions. */
  installedKb: 1_170,
  /** The source maps, which contain the sources. Only a debugger or `--enable-source-maps` reads them. */
  mapsKb: 985,
  /** In memory: the code that Node reads to run an agent. */
  loadedKb: 334,
} as const;

/**
 * The size limits of pages with a WebSocket client, in kB: minified, each file gzipped. `firstKb` is loaded before the
 * client connects, `laterKb` when the server is a gateway.
 */
export const pages = {
  connectAgent: {
    source: `import { connectAgent } from "@acp-kit/client";
      import { webSocketAgent } from "@acp-kit/http";
      const agent = await connectAgent(webSocketAgent("wss://example.com/acp"));
      const session = await agent.newSession({ cwd: "/" });
      for await (const update of session.prompt("hi")) console.log(update);
      await agent.close();`,
    firstKb: 51.4,
    laterKb: 5.4,
  },
  Peer: {
    source: `import { webSocketAgent } from "@acp-kit/http";
      import { Peer, v1Client } from "@acp-kit/protocol";
      const client = new Peer(await webSocketAgent("wss://example.com/acp").open(), v1Client);
      client.handleNotification("session/update", console.log);
      client.connection.listen();
      await client.request("initialize", { protocolVersion: 1 });`,
    firstKb: 24.1,
    laterKb: 5.4,
  },
} as const;

/** The size limits of the smallest programs, bundled for Node, minified and gzipped, in kB. */
export const bundled = {
  "the smallest agent": {
    source: `import { createAgent } from "@acp-kit/agent";
      import { serveStdio } from "@acp-kit/stdio/node";
      const prompt = async (turn) => { await turn.message(turn.text); };
      await serveStdio(createAgent({ info: { name: "a", version: "1" }, newSession: () => ({ sessionId: "s" }), prompt }));`,
    kb: 32.1,
  },
  "the smallest client": {
    source: `import { connectAgent } from "@acp-kit/client";
      import { spawnAgent } from "@acp-kit/stdio/node";
      const agent = await connectAgent(spawnAgent({ command: "a" }));
      const session = await agent.newSession({ cwd: "/" });
      for await (const update of session.prompt("hi")) console.log(update);
      await agent.close();`,
    kb: 59.3,
  },
} as const;
