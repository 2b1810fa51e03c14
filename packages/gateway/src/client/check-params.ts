import { invalidParams } from "@acp-kit/jsonrpc";
import type { SessionOpening } from "../session/command.js";

type Params = Readonly<Record<string, unknown>>;

/** Reads params of clients: what the gateway uses has the right type and a bounded length; the rest passes. */
export class ParamsReader {
  readonly #maxChars: number;

  /** @param maxChars of an id, path or cursor. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  object(params: unknown): Params {
    if (typeof params === "object" && params !== null && !Array.isArray(params)) return params as Params;
    throw invalidParams("Invalid params: an object is expected");
  }

  /** @throws {RpcError} `-32602` if the member is not a text of at most `maxChars` characters. */
  text(params: Params, name: string): string {
    const value = params[name];
    if (typeof value === "string" && value.length <= this.#maxChars) return value;
    throw invalidParams(`Invalid params: ${name} must be a string of at most ${this.#maxChars} characters`);
  }

  optionalText(params: Params, name: string): string | undefined {
    return params[name] == null ? undefined : this.text(params, name);
  }

  /** What an agent needs to open the session. */
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
