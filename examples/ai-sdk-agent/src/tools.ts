// The tools of the agent. Each tool works with the client's files and terminals, or with those of this machine if the
// client offers none.
import { resolve } from "node:path";
import { type ToolEnvironment, toolEnvironment } from "@acp-kit/agent";
import type { AiSdkTurn } from "@acp-kit/ai-sdk";
import { localEnvironment } from "@acp-kit/workspace";
import { type ToolSet, tool } from "ai";
import { z } from "zod";

// #region files
export function codingTools({ turn, session: { cwd }, toolCall }: AiSdkTurn): ToolSet {
  const environment: ToolEnvironment = toolEnvironment(turn.client, { local: localEnvironment({ roots: [cwd] }) });
  const at = (path: string): string => resolve(cwd, path);

  return {
    read_file: tool({
      description: "Reads a text file.",
      inputSchema: z.object({ path: z.string() }),
      execute: ({ path }) => environment.readTextFile(at(path)),
    }),

    edit_file: tool({
      description: "Replaces a text, which must occur once, in a file.",
      inputSchema: z.object({ path: z.string(), oldText: z.string().min(1), newText: z.string() }),
      needsApproval: true,
      async execute({ path, oldText, newText }) {
        const before = await environment.readTextFile(at(path));
        const [head, tail, more] = before.split(oldText);
        if (head === undefined || tail === undefined || more !== undefined)
          throw new Error(`${path} must contain the text exactly once`);
        await environment.writeTextFile(at(path), head + newText + tail);
        return `Edited ${path}`;
      },
    }),
    // #endregion files

    // #region command
    run_command: tool({
      description: "Runs a command line in the project.",
      inputSchema: z.object({ command: z.string() }),
      needsApproval: true,
      async execute({ command }, { toolCallId, abortSignal }) {
        const { output, exitCode } = await environment.run({
          command,
          cwd,
          timeoutMs: 120_000,
          toolCall: await toolCall(toolCallId), // the client shows the output while the command runs
          ...(abortSignal && { signal: abortSignal }),
        });
        return `${output}\n(exit code ${exitCode})`;
      },
    }),
    // #endregion command

    // #region plan
    update_plan: tool({
      description: "Shows the user what you are going to do, and how far you are. Always the whole plan.",
      inputSchema: z.object({
        steps: z.array(z.object({ content: z.string(), status: z.enum(["pending", "inProgress", "completed"]) })),
      }),
      async execute({ steps }) {
        const entries = steps.map(({ content, status }) => {
          return {
            content,
            priority: "medium" as const,
            status: status === "inProgress" ? ("in_progress" as const) : status,
          };
        });
        await turn.plan(entries);
        return "The user sees it.";
      },
    }),
    // #endregion plan

    // #region ask
    ask_user: tool({
      description: "Asks the user to choose. Use it when you can't continue without a decision.",
      inputSchema: z.object({ question: z.string(), choices: z.array(z.string()).min(2) }),
      async execute({ question, choices }, { toolCallId }) {
        if (!turn.client.offers("clientCapabilities.elicitation.form"))
          return "No user can be prompted here: decide yourself.";
        const answer = await turn.elicit({
          message: question,
          fields: { choice: { type: "string", enum: choices } },
          required: ["choice"],
          toolCallId,
        });
        return answer.action === "accept" ? answer.values.choice : "The user did not answer.";
      },
    }),
    // #endregion ask
  };
}
