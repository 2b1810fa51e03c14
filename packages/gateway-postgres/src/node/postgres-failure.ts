import { EngineError, type EngineErrorCode, isEngineError } from "@acp-kit/gateway/engine";

/**
 * The error codes for an SQLSTATE or its class: https://www.postgresql.org/docs/current/errcodes-appendix.html. Any
 * other failure is `unavailable`.
 */
const states: Readonly<Record<string, EngineErrorCode>> = {
  "53100": "full",
  "22": "corrupt",
  "23": "corrupt",
  "3D": "corrupt",
  "3F": "corrupt",
  "42": "corrupt",
  XX: "corrupt",
};

/** Converts a failure of PostgreSQL, or of its connection, to an `EngineError`. */
export function postgresFailure(error: unknown, where: string): EngineError {
  if (isEngineError(error)) return error;
  const state = stateOf(error) ?? "";
  const message = error instanceof Error && error.message !== "" ? error.message : "the connection was lost";
  const code = states[state] ?? states[state.slice(0, 2)] ?? "unavailable";
  return new EngineError(code, `PostgreSQL at ${where} failed: ${message}`, { cause: error });
}

/** Returns the SQLSTATE of an error of the server; `undefined` for any other error. */
export function stateOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
