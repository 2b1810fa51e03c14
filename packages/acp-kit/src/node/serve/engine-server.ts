import type { Engine } from "@acp-kit/gateway";
import { CommandFailure, usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { installCommand } from "../install-command.js";
import type { EngineChoice } from "./engine-choice.js";

type EngineServer = Extract<EngineChoice, { is: "redis" | "postgres" }>;

/** Opens each engine of a database server. The packages are optional: most servers use a file. */
const open: Readonly<Record<EngineServer["is"], (url: string) => Promise<Engine>>> = {
  redis: async (url) => (await import("@acp-kit/gateway-redis")).redisEngine({ url }),
  postgres: async (url) => (await import("@acp-kit/gateway-postgres")).postgresEngine({ url }),
};

/**
 * Opens an engine that several replicas share.
 *
 * @throws {CommandFailure} when the engine's package is not installed, or its server can't be used.
 */
export async function openEngineServer({ is, url }: EngineServer, { redactor }: Host): Promise<Engine> {
  const { password, searchParams } = new URL(url);
  // PostgreSQL also accepts a password in the query of the URL.
  for (const secret of [password, decoded(password), ...searchParams.getAll("password")]) {
    if (secret !== "") redactor?.addSecret(secret);
  }
  try {
    return await open[is](url);
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    const name = `@acp-kit/gateway-${is}`;
    if (isMissing(cause, name)) {
      throw usageFailure(`The engine ${is} needs the package ${name}. Install it with: ${installCommand(name)}`, {
        cause,
      });
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw usageFailure(`Can't open the sessions: ${reason}.`, { cause });
  }
}

function isMissing(error: unknown, name: string): boolean {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" && String(message).includes(`'${name}'`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // the text is not percent-encoded
  }
}
