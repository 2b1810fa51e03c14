import { invalidParams, type RequestId } from "@acp-kit/jsonrpc";
import { memoryOf } from "@acp-kit/jsonrpc/internal";
import type { Position } from "../engine/journal-page.js";
import { positionOf } from "../journal/cursor.js";
import type { SessionOpening } from "../session/command.js";
import { metaKeys, metaOf } from "./meta.js";

/** Identifies a prompt by the key that the client chose, or by the id of its request. */
export interface PromptName {
  readonly id: RequestId;
  readonly key: string | undefined;
}

const MAX_PROMPTS = 1_024;
const MAX_DIRECTORIES = 1_000;
const MAX_DIRECTORY_CHARS = 65_536;
const MAX_SERVERS = 256;
const MAX_SERVER_BYTES = 262_144;

/** Whether a value looks like an MCP server. The gateway checks its name; the agent checks the rest. */
function isServer(value: unknown): boolean {
  return typeof value === "object" && value !== null && typeof (value as { readonly name?: unknown }).name === "string";
}

type Params = Readonly<Record<string, unknown>>;

/**
 * Reads the params of clients' requests. The reader checks the type and the length of the members that the gateway
 * uses, and ignores all other members.
 */
export class ParamsReader {
  readonly #maxChars: number;

  /** @param maxChars the maximum length of an id, path or cursor. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  object(params: unknown): Params {
    if (typeof params === "object" && params !== null && !Array.isArray(params)) return params as Params;
    throw invalidParams("Invalid params: an object is expected");
  }

  /** @throws {RpcError} `-32602` if the member is not a string of at most `maxChars` characters. */
  text(params: Params, name: string): string {
    const value = params[name];
    if (typeof value === "string" && value.length <= this.#maxChars) return value;
    throw invalidParams(`Invalid params: ${name} must be a string of at most ${this.#maxChars} characters`);
  }

  optionalText(params: Params, name: string): string | undefined {
    return params[name] == null ? undefined : this.text(params, name);
  }

  /** @throws {RpcError} `-32602` if the params contain a cursor with an invalid form. */
  cursor(params: Params): Position | undefined {
    const cursor = metaOf(params, metaKeys.cursor);
    const position = positionOf(cursor);
    if (cursor !== undefined && position === undefined)
      throw invalidParams("Invalid params: this server did not create the cursor");
    return position;
  }

  /** @throws {RpcError} `-32602` if the idempotency key of a prompt is not a string of at most 256 characters. */
  promptKey(params: Params): string | undefined {
    return promptKeyOf(metaOf(params, metaKeys.key));
  }

  /** Returns the prompts that the client will send again, as the params list them. */
  prompts(params: Params): PromptName[] {
    const prompts = metaOf(params, metaKeys.prompts) ?? [];
    const isList = Array.isArray(prompts) && prompts.length <= MAX_PROMPTS;
    if (!isList) throw invalidParams(`Invalid params: ${metaKeys.prompts} must be at most ${MAX_PROMPTS} prompts`);
    return prompts.map((prompt: unknown) =>
      typeof prompt === "object"
        ? { id: null, key: promptKeyOf((prompt as { readonly key?: unknown } | null)?.key) }
        : { id: promptIdOf(prompt), key: undefined },
    );
  }

  /**
   * Returns the params with which an agent opens the session. They stay in memory while the client is attached to the
   * session.
   *
   * @throws {RpcError} `-32602` if the members are no paths and servers, or need too much memory.
   */
  opening(params: Params): SessionOpening {
    const { additionalDirectories, mcpServers } = params;
    const more = Array.isArray(additionalDirectories) ? additionalDirectories : [];
    const isPath = (path: unknown): boolean => typeof path === "string" && path.length <= this.#maxChars;
    if (more.length > MAX_DIRECTORIES || !more.every(isPath) || more.join("").length > MAX_DIRECTORY_CHARS) {
      const limit = `at most ${MAX_DIRECTORIES} paths of ${MAX_DIRECTORY_CHARS} characters in total`;
      throw invalidParams(`Invalid params: additionalDirectories must be ${limit}`);
    }
    const servers: readonly unknown[] = Array.isArray(mcpServers) ? mcpServers : [];
    if (servers.length > MAX_SERVERS || !servers.every(isServer) || memoryOf(servers) > MAX_SERVER_BYTES) {
      const limit = `at most ${MAX_SERVERS} objects with a name, of ${MAX_SERVER_BYTES} bytes in total`;
      throw invalidParams(`Invalid params: mcpServers must be ${limit}`);
    }
    return {
      cwd: this.text(params, "cwd"),
      ...(more.length > 0 && { additionalDirectories: more as string[] }),
      mcpServers: servers,
    };
  }

  /** Returns the part of {@link opening} that an observer's request needs. An observer never starts an agent. */
  observedOpening(params: Params): SessionOpening {
    return { cwd: this.text(params, "cwd"), mcpServers: [] };
  }
}

function promptIdOf(id: unknown): RequestId {
  if (typeof id === "number" || (typeof id === "string" && id.length <= 1_024)) return id;
  throw invalidParams(`Invalid params: ${metaKeys.prompts} must contain ids of requests`);
}

function promptKeyOf(key: unknown): string | undefined {
  if (key === undefined || (typeof key === "string" && key.length <= 256)) return key;
  throw invalidParams(`Invalid params: ${metaKeys.key} must be a string of at most 256 characters`);
}
