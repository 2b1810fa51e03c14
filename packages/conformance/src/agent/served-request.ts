import { Failure } from "../verdict.js";
import { shown } from "../wire/values.js";
import type { AgentContext, OpenTurn, TestSession } from "./agent-context.js";
import type { Incoming } from "./agent-messages.js";
import type { Reply } from "./agent-peer.js";
import type { ClientBehaviour } from "./client-side.js";
import type { PromptPurpose } from "./prompt-purposes.js";
import { fileInCwd } from "./test-files.js";

/** A request that the agent sent to its client in a turn. */
export interface ServedRequest {
  readonly purpose: PromptPurpose;
  readonly session: TestSession;
  readonly turn: OpenTurn;
  readonly request: Incoming;
  readonly path: string;
}

/** The content of the file that a prompt names. It exists before, because some agents fail on a missing file. */
export const contentBefore = "before\n";

/** Sends a prompt that makes the agent send a request to its client. Skips the scenario if the agent sends none. */
export async function served(
  context: AgentContext,
  purpose: PromptPurpose,
  method: string,
  manners: ClientBehaviour = {},
  fileText: string = contentBefore,
): Promise<ServedRequest> {
  const session = await context.openSession(manners);
  const path = await fileInCwd(context.files, `${purpose}.txt`, fileText);
  const turn = context.prompt(session, context.text(purpose, { path }));
  const request = await context.requestIn(session, turn, method);
  if (!request && turn.prompt.response?.error)
    context.inconclusive(`the turn failed: ${shown(turn.prompt.response.error)}`);
  if (!request) context.skip(`the agent never sent ${method}: --prompt ${purpose}=…`);
  return { purpose, session, turn, request, path };
}

/** Checks that the turn ends after any response. The control runs the prompt with a client as in `control`. */
export async function checkTurnEnds(
  context: AgentContext,
  { purpose, session, turn, request, path }: ServedRequest,
  { requirement, sent, control = {} }: { requirement: string; sent: string; control?: ClientBehaviour },
): Promise<void> {
  try {
    await context.responseOrControl(session, turn.prompt, { requirement }, async () => {
      const other = await context.openSession(control);
      await context.endOf(other, context.prompt(other, context.text(purpose, { path })));
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    context.fail(requirement, {
      sent,
      received: session.peer.exit ? "the end of the process" : "no end of the turn",
      explanation: "After any response of the client, the agent continues or ends the turn; it doesn't hang.",
      where: session.peer.at(turn.prompt.seq, request.seq),
    });
  }
}

/** Returns a client that responds to one method with an error. */
export const refusing =
  (method: string, error: object): NonNullable<ClientBehaviour["first"]> =>
  (request) =>
    request.method === method ? ({ error } as Reply) : undefined;
