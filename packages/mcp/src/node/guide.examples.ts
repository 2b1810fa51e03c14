// #region session
import { connectAgent, type Transport } from "@acp-kit/client";
import { mcpTools, ToolError } from "@acp-kit/mcp";
import { serveMcp } from "@acp-kit/mcp/node";

/** The deployments of one folder, which another system knows. */
export interface Deployments {
  start(folder: string, onStep: (step: number, of: number) => void, signal: AbortSignal): Promise<string>;
}

/** A tool that reports its progress, ends when it is cancelled, and knows its session. */
export function deployTools(deployments: Deployments) {
  return mcpTools("deploy", {
    start: {
      description: "Deploys the folder of the session, and returns the address",
      run: async (_, { session, signal, progress }) => {
        const step = (done: number, of: number): void => progress(done, of, `Step ${done} of ${of}`);
        try {
          return await deployments.start(session.cwd, step, signal);
        } catch (error) {
          throw new ToolError(`The deployment failed: ${(error as Error).message}`); // the model reads this
        }
      },
    },
  });
}
// #endregion session

// #region by-folder
/** Only sessions in the folder of the shop can deploy. */
export async function work(agent: Transport, deployments: Deployments, warn: (text: string) => void): Promise<string> {
  const tools = deployTools(deployments);
  await using connection = await connectAgent(agent, {
    mcp: serveMcp(({ cwd }) => (cwd.startsWith("/work/shop") ? tools : undefined)),
    onDiagnostic: ({ code, message }) => {
      if (code === "mcp_server_left_out") warn(message); // the agent can't reach the tools
    },
  });
  const session = await connection.newSession({ cwd: "/work/shop" });
  return await session.prompt("Deploy the shop.").text();
}
// #endregion by-folder
