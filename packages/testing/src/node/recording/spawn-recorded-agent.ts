import { type AgentProcess, type SpawnAgentOptions, spawnAgent } from "@acp-kit/stdio/node";
import type { Recorder } from "../../recording/recorder.js";

/**
 * Starts an agent as `spawnAgent` does, and records its process and its standard error. Pass the same recorder as `tap`
 * of the connection to record the messages.
 *
 * @example
 * ```ts
 * const tape = recorder({ in: "client", sink: openRecordingFile("session.jsonl") });
 * await using agent = await connectAgent(spawnRecordedAgent({ command: "my-agent" }, tape), { tap: tape });
 * ```
 */
export function spawnRecordedAgent(options: SpawnAgentOptions, recorder: Recorder): AgentProcess {
  const agent = spawnAgent({
    ...options,
    onStderr(line) {
      recorder.stderr(line);
      options.onStderr?.(line);
    },
  });
  recorder.process({ event: "started", command: [options.command, ...(options.args ?? [])], pid: agent.pid });
  void agent.exited.then(({ exitCode, signal, error }) => {
    const started = agent.pid !== undefined;
    if (started) recorder.process({ event: "exited", exitCode, signal });
    else recorder.process({ event: "failed", reason: error?.message ?? "The agent could not be started." });
  });
  return agent;
}
