import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "@acp-kit/configs/packages";

/** A peer of the page about conformance, and the command that tests it. */
export interface ConformancePeer {
  /** The name of its file in `docs/conformance/runs`. */
  readonly name: string;
  readonly role: "agent" | "client" | "server";
  readonly peer: string;
  readonly version: string;
  /** The arguments after `acp-kit conformance`. `{url}` stands for the address of a server. */
  readonly words: readonly string[];
  /** The command of a server. The server prints its address. */
  readonly server?: readonly string[];
  /** The path that must be installed for this peer, and is missing. */
  readonly missing?: string;
}

const node = process.execPath;
const acpKit = join(root, "packages/acp-kit/bin/acp-kit.js");
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const source = (path: string): readonly string[] => [node, "--import", tsx, join(root, path)];
const interopPeers = "tests/interop/src/peers";

/** The folder of the third-party agents. Each is installed with npm into a folder of its own. */
const peers = process.env.ACP_KIT_PEERS ?? join(tmpdir(), "acp-peers");
const newerNode = join(peers, "node24/node_modules/node/bin/node");

/** The prompts that the agents of the tests understand. */
const scripted = [
  "text=say hello",
  "long=wait",
  "permission=ask",
  "read=read {path}",
  "write=write {path} hello",
].concat(
  ["terminal=run echo hello", "form=form", "url=page", "tools=everything", "plan=everything", "thought=everything"],
  ["content=everything", "mode=everything", "commands=everything"],
);

/** Every peer of the page. */
export const conformancePeers: readonly ConformancePeer[] = [
  installed("claude-agent-acp", "@agentclientprotocol/claude-agent-acp", "claude", (folder) => [
    existsSync(newerNode) ? newerNode : node,
    join(folder, "dist/index.js"),
  ]),
  installed("gemini-cli", "@google/gemini-cli", "gemini", (folder) => [
    existsSync(newerNode) ? newerNode : node,
    join(folder, "../../.bin/gemini"),
    "--acp",
  ]),
  installed("opencode", "opencode-ai", "opencode", (folder) => [
    join(folder, `../opencode-linux-${process.arch}/bin/opencode`),
    "acp",
  ]),
  ours("agent", "everything-agent", "@acp-kit/everything-agent", [
    ...["--preset", "everything", "--jobs", "2", "--", node, acpKit, "demo-agent", "--pace", "0"],
  ]),
  ours("agent", "smallest-agent", "examples/smallest-agent", [
    ...["--jobs", "2", "--prompt", "text=hello", "--", ...source("examples/smallest-agent/src/agent.ts")],
  ]),
  ours("agent", "interop-agent-kit", "an agent on `@acp-kit/agent` (tests/interop)", [
    ...["--jobs", "2", ...scripted.flatMap((prompt) => ["--prompt", prompt])],
    ...["--", ...source(`${interopPeers}/kit-agent.ts`)],
  ]),
  {
    name: "interop-agent-sdk-2",
    role: "agent",
    peer: "the same agent on the official SDK",
    version: sdkVersion("sdk-2"),
    words: [
      ...["agent", "--jobs", "2", ...scripted.flatMap((prompt) => ["--prompt", prompt])],
      ...["--", ...source(`${interopPeers}/sdk-2-agent.ts`)],
    ],
  },
  {
    name: "interop-agent-sdk-0",
    role: "agent",
    peer: "the same agent on the official SDK before 1.0",
    version: sdkVersion("sdk-0"),
    words: [
      ...["agent", "--jobs", "2", ...scripted.flatMap((prompt) => ["--prompt", prompt])],
      ...["--", ...source(`${interopPeers}/sdk-0-agent.ts`)],
    ],
  },
  {
    name: "our-server",
    role: "server",
    peer: "`serveHttp` of @acp-kit/http",
    version: "this repository",
    server: source(`${interopPeers}/serve-kit.ts`),
    words: transports(),
  },
  {
    name: "sdk-2-server",
    role: "server",
    peer: "the server of the official SDK",
    version: sdkVersion("sdk-2"),
    server: source(`${interopPeers}/serve-sdk-2.ts`),
    words: transports(),
  },
  ours("client", "acp-kit-run", "acp-kit run", [
    ...["--cancel-signal", "SIGINT", "--jobs", "2", "--", node, acpKit, "run"],
    ...["--prompt", "{prompt}", "--permissions", "allow", "--cwd", "{cwd}", "--"],
  ]),
  ours("client", "showcase", "examples/showcase", [
    ...["--jobs", "2", "--", ...source("examples/showcase/src/main.ts"), "--agent", "{agent-string}"],
  ]),
  ours("client", "smallest-client", "examples/smallest-client", [
    ...["--jobs", "2", "--", ...source("examples/smallest-client/src/client.ts")],
  ]),
  {
    name: "sdk-2-client",
    role: "client",
    peer: "a client on the official SDK",
    version: sdkVersion("sdk-2"),
    words: ["client", "--cancel-signal", "SIGINT", "--jobs", "2", "--", ...source(`${interopPeers}/sdk-2-client.ts`)],
  },
];

function ours(role: "agent" | "client", name: string, peer: string, words: readonly string[]): ConformancePeer {
  return { name, role, peer, version: "this repository", words: [role, ...words] };
}

/** Returns a third-party agent with the scripted model. `missing` is set if it is not installed. */
function installed(
  name: string,
  peer: string,
  folder: string,
  command: (folder: string) => readonly string[],
): ConformancePeer {
  const place = join(peers, folder, "node_modules", peer);
  const words = ["agent", "--model", "fake", "--initialize-timeout", "90", "--request-timeout", "60"];
  return {
    name,
    role: "agent",
    peer,
    version: versionIn(place),
    words: [...words, "--turn-timeout", "90", "--", ...command(place)],
    ...(!existsSync(place) && { missing: place }),
  };
}

function transports(): readonly string[] {
  return [
    "agent",
    "--url",
    "{url}",
    "--only",
    "http/,streams/,websocket/",
    "--prompt",
    "text=say hello",
    "--jobs",
    "2",
  ];
}

function sdkVersion(alias: string): string {
  return versionIn(join(root, "tests/interop/node_modules", alias));
}

function versionIn(folder: string): string {
  const file = join(folder, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : "";
}
