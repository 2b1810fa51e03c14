import { usageFailure } from "../command-failure.js";

/**
 * Loads the inspector, which is a package of its own, because its page would make every installation of `acp-kit` larger.
 *
 * @throws {CommandFailure} when it is not installed.
 */
export async function loadInspector(purpose: string): Promise<typeof import("@acp-kit/inspector")> {
  try {
    return await import("@acp-kit/inspector");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw usageFailure(`${purpose} needs the package @acp-kit/inspector: run npm install @acp-kit/inspector`, {
      cause,
    });
  }
}
