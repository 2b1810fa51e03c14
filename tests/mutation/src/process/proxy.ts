// A proxy between two processes: `node proxy.mjs agent|client RULE [command…]`. Without a command it starts the agent
// that the kit names in ACP_KIT_AGENT_JSON. For a client, the peer under test is the parent process; for an agent, it
// is the child process.
import { spawn } from "node:child_process";
import process, { argv, env, stdin, stdout } from "node:process";
import { agentMutants } from "../agent/agent-mutants.js";
import { clientMutants } from "../client/client-mutants.js";
import type { Mutation } from "../wire/mutation.js";
import { WireProxy } from "../wire/wire-proxy.js";

const [role, rule = "", ...words] = argv.slice(2);
const [command = "", ...args]: readonly string[] =
  words.length > 0 ? words : JSON.parse(env.ACP_KIT_AGENT_JSON ?? "[]");
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const die = (): void => {
  child.kill("SIGKILL");
  process.exit(9);
};
const toParent = (bytes: Uint8Array): void => void stdout.write(bytes);
const toChild = (bytes: Uint8Array): void => void (child.stdin.writable && child.stdin.write(bytes));
const mutants = role === "agent" ? agentMutants : clientMutants;
const mutation: Mutation = mutants.find((mutant) => mutant.rule === rule)?.mutation() ?? {};
const isAgent = role === "agent";
const proxy = new WireProxy(mutation, {
  toKit: isAgent ? toParent : toChild,
  toPeer: isAgent ? toChild : toParent,
  die,
});
stdin.on("data", (bytes) => (isAgent ? proxy.kitWrote(bytes) : proxy.peerWrote(bytes)));
stdin.on("end", () => child.stdin.end());
child.stdout.on("data", (bytes) => (isAgent ? proxy.peerWrote(bytes) : proxy.kitWrote(bytes)));
child.on("exit", (code) => process.exit(code ?? 1));
child.stdin.on("error", () => {});
