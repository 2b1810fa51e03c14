// #region main
import { ExitCode, main } from "acp-kit";

export async function isHealthy(agent: readonly string[]): Promise<boolean> {
  return (await main(["doctor", "--json", "--", ...agent])) === ExitCode.ok;
}
// #endregion main
