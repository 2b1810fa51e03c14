import {
  askUser,
  type ConnectAgentOptions,
  type NamedPermissionRule,
  type RememberedDecisions,
  type TerminalHandlers,
} from "@acp-kit/client";
import { subagents } from "@acp-kit/client/unstable";
import type { AgentTarget } from "../../agent-target.js";
import { type PermissionPolicy, permissionsBy } from "../../run/permission-policy.js";
import { runFiles } from "../../run/run-files.js";
import { askForm } from "../dialogue/ask-form.js";
import { askUrl } from "../dialogue/ask-url.js";
import { loginHandlers } from "../dialogue/log-in.js";
import { askPermission } from "../dialogue/permission-question.js";
import type { ChatUi } from "../ui/chat-ui.js";

/** The dependencies of the request handlers. */
export interface HandlerSetting {
  readonly agent: AgentTarget;
  /** Whether the agent may use terminals, and the files in {@link cwd}. */
  readonly localAccess: boolean;
  readonly ui: ChatUi;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly remembered: RememberedDecisions;
  readonly terminals: TerminalHandlers;
  readonly showSecrets: boolean;
  /** Returns the current permission policy. */
  readonly policy: () => PermissionPolicy;
  readonly agentName: () => string | undefined;
  /** Sets environment variables for later starts of the agent. */
  readonly setVariables: (variables: Readonly<Record<string, string>>) => void;
}

/** The maximum number of lines of a permission question's details; a terminal's live area must fit in the window. */
const [maxTerminalLines, maxPipeLines] = [12, 60];

/**
 * Creates the handlers of the agent's requests. They serve files and terminals in the working directory, and prompt the
 * user for permissions, forms and logins.
 */
export function chatHandlers(
  setting: HandlerSetting,
): Omit<ConnectAgentOptions, "info" | "signal" | "tap" | "onDiagnostic"> {
  const { ui, cwd, localAccess, remembered, terminals, showSecrets, agentName } = setting;
  const { paint } = ui.canvas;
  const interview = (signal: AbortSignal) => ({ asker: ui, paint, signal });
  const maxLines = ui.isInteractive ? maxTerminalLines : maxPipeLines;
  const user = askUser((question, { signal }) =>
    askPermission(question, { asker: ui, canvas: ui.canvas, cwd, maxLines, signal }),
  );
  return {
    ...(localAccess && { files: runFiles(cwd, agentName), terminals }),
    permissions: [remembered, byPolicy(setting.policy), user],
    elicitation: {
      form: (request, { signal }) => askForm(request, interview(signal)),
      url: (request, { signal }) => askUrl(request, interview(signal)),
      onComplete: () => ui.print(paint.dim("✓ The agent reports that you have finished in the browser.")),
    },
    login: loginHandlers({ ...setting, asker: ui, paint, suspend: ui.suspend }),
    supports: { notices: true, compaction: true, booleanConfigOptions: true },
    unstable: [subagents],
    reapplyOptions: true,
    tapSecrets: showSecrets,
  };
}

/** Creates a decider that applies the policy. With `ask` it decides nothing; the next decider prompts the user. */
function byPolicy(policy: () => PermissionPolicy): NamedPermissionRule {
  const desk = { ask: async () => undefined, onRequested() {}, onDecided() {} };
  return {
    name: "policy",
    decide: async (request, context) =>
      policy() === "ask" ? undefined : permissionsBy(policy(), desk)(request, context),
  };
}
