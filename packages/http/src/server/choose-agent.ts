import type { HttpExchange } from "./exchange.js";
import type { Principal } from "./principal.js";
import { Refusal } from "./refusal.js";
import type { AgentChoice, ServedAgent } from "./served-agent.js";

/** The connection and the principal for which an agent is chosen. */
export interface AgentCaller<P extends Principal> {
  readonly connectionId: string;
  readonly principal: P;
  readonly exchange: HttpExchange;
}

/**
 * Returns the agent that serves a new connection.
 *
 * @throws {Refusal} the refusal that the application's function throws; 500 for any other error, which `onError`
 * receives.
 */
export async function chooseAgent<P extends Principal>(
  choice: AgentChoice<P>,
  { connectionId, principal, exchange }: AgentCaller<P>,
  onError: ((error: unknown) => void) | undefined,
): Promise<ServedAgent> {
  if (typeof choice !== "function") return choice;
  try {
    return await choice({ connectionId, principal, request: exchange.toRequest() });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    onError?.(error);
    throw new Refusal(500, "The server failed to provide the agent.", { code: -32_603 });
  }
}
