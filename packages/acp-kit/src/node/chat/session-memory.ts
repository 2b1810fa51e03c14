import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentCommand } from "../agent-target.js";
import { type AgentTarget, isRemote } from "../agent-target.js";
import type { Host } from "../host.js";
import { stateDirectory } from "../state-directory.js";

/** Maximum number of remembered sessions. */
const maxRemembered = 200;

/** The last session of each agent in each folder, for `--continue`. */
export interface SessionMemory {
  /** Returns the id of the last session; `undefined` if unknown. */
  last(agent: AgentTarget, cwd: string): string | undefined;
  remember(agent: AgentTarget, cwd: string, sessionId: string): void;
}

/** Opens the file of last sessions, for this user only. Remembers nothing if it can't be written. */
export function openSessionMemory({ env }: Pick<Host, "env">): SessionMemory {
  const directory = stateDirectory("chat", env);
  if (directory === undefined) return { last: () => undefined, remember: () => {} };
  const path = join(directory, "last-sessions.json");
  return {
    last: (agent, cwd) => read(path).get(keyOf(agent, cwd)),
    remember(agent, cwd, sessionId) {
      const sessions = read(path);
      const key = keyOf(agent, cwd);
      sessions.delete(key);
      sessions.set(key, sessionId);
      try {
        writeFileSync(path, JSON.stringify([...sessions].slice(-maxRemembered)), { mode: 0o600 });
      } catch {
        // Errors are ignored, because a full disk must not end a conversation.
      }
    },
  };
}

/** Returns the key of an agent in a folder. A command line may contain secrets, so only its hash is stored. */
function keyOf(agent: AgentTarget, cwd: string): string {
  const name = isRemote(agent) ? [agent.url.href] : nameOf(agent);
  return createHash("sha256")
    .update(JSON.stringify([...name, cwd]))
    .digest("hex");
}

/** The key's part for the agent: the name of an installed one, whose folder changes; otherwise the command. */
function nameOf({ identity, command, args }: AgentCommand): readonly unknown[] {
  return identity?.origin === "installed" ? ["agent", identity.id] : [command, args];
}

function read(path: string): Map<string, string> {
  try {
    const entries: unknown = JSON.parse(readFileSync(path, "utf8"));
    return new Map(Array.isArray(entries) ? entries.filter(isEntry) : []);
  } catch {
    return new Map(); // the file doesn't exist yet, or is incomplete
  }
}

function isEntry(entry: unknown): entry is [string, string] {
  return Array.isArray(entry) && entry.length === 2 && entry.every((each) => typeof each === "string");
}
