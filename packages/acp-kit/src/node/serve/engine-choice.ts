import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { stateDirectory } from "../state-directory.js";

/** Where a server keeps its sessions. */
export type EngineChoice =
  /** Nowhere: an agent for each connection, which ends with it. */
  | { readonly is: "none" }
  /** As long as the process. */
  | { readonly is: "memory" }
  /** In a file; without a path, in one of the user's state folder that belongs to the agent's command. */
  | { readonly is: "sqlite"; readonly path: string | undefined }
  /** In a server that several replicas share. The URL may hold a password: `where` is what may be shown. */
  | { readonly is: "redis" | "postgres"; readonly url: string; readonly where: string };

const schemes: Readonly<Record<string, "redis" | "postgres">> = {
  "redis:": "redis",
  "rediss:": "redis",
  "postgres:": "postgres",
  "postgresql:": "postgres",
};

/**
 * Reads `none`, `memory`, `sqlite`, `sqlite:FILE`, or the URL of Redis or PostgreSQL.
 *
 * @param where what the text comes from, for the message: `--engine`, or a file and its key.
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
  const known = "Known are sqlite, sqlite:<file>, redis://…, postgres://…, memory and none.";
  if (scheme !== undefined && scheme !== "sqlite:") {
    throw usageFailure(`${where}: there is no engine ${scheme.slice(0, -1)}. ${known}`); // the rest may hold a password
  }
  throw usageFailure(`${where} ${JSON.stringify(text)} must name an engine. ${known}`);
}

function serverOf(is: "redis" | "postgres", url: string, where: string): EngineChoice {
  const { protocol = "", host = "", pathname = "" } = URL.canParse(url) ? new URL(url) : {};
  if (host === "") {
    const example = is === "redis" ? "redis://host:6379" : "postgres://user@host:5432/database";
    throw usageFailure(`${where}: the URL of the engine can't be read. It looks like ${example}.`);
  }
  return { is, url, where: `${protocol}//${host}${pathname}` };
}

/**
 * The file of the sessions of an agent: one for each command line, because no agent can open the sessions of another.
 *
 * @throws {CommandFailure} when there is no state folder.
 */
export function defaultSessionFile(command: readonly string[], { env }: Host): string {
  const folder = stateDirectory("serve", env);
  if (folder === undefined) {
    throw usageFailure(
      "There is no folder for the sessions: name a file with --engine sqlite:<file>, or use --engine memory.",
    );
  }
  const hash = createHash("sha256").update(JSON.stringify(command)).digest("hex").slice(0, 12);
  const name = basename(command[0] ?? "").replace(/[^\w.-]+/g, "-");
  return join(folder, `${name}-${hash}.db`);
}
