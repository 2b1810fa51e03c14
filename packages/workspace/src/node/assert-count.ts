import { invalidParams } from "@acp-kit/protocol";

/**
 * Checks a member that counts something. The schema already ensures it; this is for callers without the schema.
 *
 * @throws {RpcError} `-32602` for a value other than a whole number, `null` or `undefined`.
 */
export function assertCount(name: string, value: number | null | undefined): void {
  if (value == null || (Number.isSafeInteger(value) && value >= 0)) return;
  throw invalidParams(`Invalid params: ${name}: must be a whole number`, { [name]: value });
}
