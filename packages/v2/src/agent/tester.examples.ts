import { type Agent, createAgent } from "@acp-kit/agent";
import { v2 } from "@acp-kit/v2/agent";

/** A command that an application runs. */
interface Run {
  readonly exitCode: Promise<number>;
  kill(): void;
}

/** Creates an agent that tests in the background, and reports the result when it has one. */
export function tester(runTests: (onOutput: (bytes: Uint8Array) => void) => Run): Agent {
  // #region agent
  const agent = createAgent(
    {
      info: { name: "tester", version: "1.0.0" },
      newSession: () => ({ sessionId: crypto.randomUUID() }),
      prompt: async (turn) => {
        const call = turn.toolCall({ title: "npm test", kind: "execute", status: "in_progress" });
        if (!(await turn.permit(call)).allowed) return void (await call.fail());
        const terminal = call.ownTerminal({ command: "npm test" });
        const tests = runTests((bytes) => terminal.write(bytes));
        call.detach({ cancel: () => tests.kill() }); // the turn ends now, and the tests continue
        void tests.exitCode.then(async (exitCode) => {
          await terminal.exit({ exitCode });
          await call.complete();
          await turn.work(async (work) => void (await work.message(`The tests exited with ${exitCode}`)));
        });
      },
    },
    { versions: [v2] },
  );
  // #endregion agent
  return agent;
}
