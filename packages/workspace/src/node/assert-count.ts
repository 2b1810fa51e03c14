import { invalidParams } from "@acp-kit/protocol";

/**
 * Checks that a member of params is a whole number. The decoders of a connection check this, too, but an application
 * can call a handler without a connection.
 *
 * @throws {RpcError} `-32602` for a value other than a whole number, `null` or `undefined`.
 */
export function assertCount(name: string, value: number | null | undefined): void {
  if (value == null || (Number.isSafeInteger(value) && value >= 0)) return;
  throw invalidParams(`Invalid params: ${name}: must be a whole number`, { [name]: value });
}
