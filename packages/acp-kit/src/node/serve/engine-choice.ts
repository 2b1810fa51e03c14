import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { stateDirectory } from "../state-directory.js";

/** The engine that stores the sessions of a server. */
export type EngineChoice =
  /** No engine. Each connection has its own agent, which ends with the connection. */
  | { readonly is: "none" }
  /** Sessions are stored in memory, until the process ends. */
  | { readonly is: "memory" }
  /** Sessions are in a file. Without a path, each agent command has its own file in the user's state folder. */
  | { readonly is: "sqlite"; readonly path: string | undefined }
  /** Sessions are in a database server for several replicas. The URL may contain a password; `where` does not. */
  | { readonly is: "redis" | "postgres"; readonly url: string; readonly where: string };

const schemes: Readonly<Record<string, "redis" | "postgres">> = {
  "redis:": "redis",
  "rediss:": "redis",
  "postgres:": "postgres",
  "postgresql:": "postgres",
};

/**
 * Parses the name of an engine: `none`, `memory`, `sqlite`, `sqlite:FILE`, or the URL of Redis or PostgreSQL.
 *
 * @param where the place of the text, for messages: `--engine`, or a file and a key.
 * @throws {CommandFailure} for any other text.
 */
export function readEngine(text: string, where: string): EngineChoice {
  if (text === "none" || text === "memory") return { is: text };
  if (text === "sqlite") return { is: "sqlite", path: undefined };
  if (text.startsWith("sqlite:") && text.length > "sqlite:".length) {
    return { is: "sqlite", path: text.slice("sqlite:".length) };
  }
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0].toLowerCase();
  const engine = schemes[scheme ?? ""];
  if (engine !== undefined) return serverOf(engine, text, where);
  const known = "The engines are sqlite, sqlite:<file>, redis://…, postgres://…, memory and none.";
  if (scheme !== undefined && scheme !== "sqlite:") {
    // The rest of the text may contain a password.
    throw usageFailure(`${where}: there is no engine ${scheme.slice(0, -1)}. ${known}`);
  }
  throw usageFailure(`${where} ${JSON.stringify(text)} must name an engine. ${known}`);
}

function serverOf(is: "redis" | "postgres", url: string, where: string): EngineChoice {
  const { protocol = "", host = "", pathname = "" } = URL.canParse(url) ? new URL(url) : {};
  if (host === "") {
    const example = is === "redis" ? "redis://host:6379" : "postgres://user@host:5432/database";
    throw usageFailure(`${where}: the URL of the engine is not valid. Expected a URL such as ${example}.`);
  }
  return { is, url, where: `${protocol}//${host}${pathname}` };
}

/**
 * Returns the path of the default session file: one file per agent command, because an agent can't open the sessions of
 * another agent.
 *
 * @throws {CommandFailure} when there is no state folder.
 */
export function defaultSessionFile(command: readonly string[], { env }: Host): string {
  const folder = stateDirectory("serve", env);
  if (folder === undefined) {
    throw usageFailure(
      "There is no folder for the session file. Name a file with --engine sqlite:<file>, or use --engine memory.",
    );
  }
  const hash = createHash("sha256").update(JSON.stringify(command)).digest("hex").slice(0, 12);
  const name = basename(command[0] ?? "").replace(/[^\w.-]+/g, "-");
  return join(folder, `${name}-${hash}.db`);
}
