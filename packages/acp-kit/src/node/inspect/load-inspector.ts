import { usageFailure } from "../command-failure.js";
import { installCommand } from "../install-command.js";

/**
 * Loads the inspector. It is a separate package, because its page would enlarge every installation of `acp-kit`.
 *
 * @throws {CommandFailure} when the package is not installed.
 */
export async function loadInspector(purpose: string): Promise<typeof import("@acp-kit/inspector")> {
  try {
    return await import("@acp-kit/inspector");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw usageFailure(
      `${purpose} needs the package @acp-kit/inspector. Install it with: ${installCommand("@acp-kit/inspector")}`,
      { cause },
    );
  }
}
