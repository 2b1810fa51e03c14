import { invalidParams, type RequestId } from "@acp-kit/jsonrpc";
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

type Params = Readonly<Record<string, unknown>>;

/**
 * Reads the params of clients' requests. The reader checks the type and the length of the members that the gateway uses, and
 * ignores all other members.
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
        : { id: prompt as RequestId, key: undefined },
    );
  }

  /** Returns the params with which an agent opens the session. */
  opening(params: Params): SessionOpening {
    const { additionalDirectories, mcpServers } = params;
    const more = Array.isArray(additionalDirectories) ? additionalDirectories : [];
    if (more.length > 1_000 || more.some((path) => typeof path !== "string" || path.length > this.#maxChars))
      throw invalidParams("Invalid params: additionalDirectories must be at most 1000 paths");
    return {
      cwd: this.text(params, "cwd"),
      ...(more.length > 0 && { additionalDirectories: more as string[] }),
      mcpServers: Array.isArray(mcpServers) ? mcpServers : [],
    };
  }
}

function promptKeyOf(key: unknown): string | undefined {
  if (key === undefined || (typeof key === "string" && key.length <= 256)) return key;
  throw invalidParams(`Invalid params: ${metaKeys.key} must be a string of at most 256 characters`);
}
