import { rawPeer, type ScriptedPeer } from "@acp-kit/testing";
import { type AcpMatchers, acpMatchers } from "@acp-kit/testing/vitest";
import { expect } from "vitest";

expect.extend(acpMatchers);
declare module "vitest" {
  interface Matchers<T> extends AcpMatchers<T> {}
}

export { rawPeer };
export type RawPeer = ScriptedPeer;
export type Json = Record<string, unknown>;

/** Sends an update of a session. */
export function sendUpdate(agent: RawPeer, update: object, sessionId = "s"): void {
  agent.notify("session/update", { sessionId, update });
}

/** The updates of a session that a client has received. */
export function updatesOf(client: RawPeer, sessionId = "s"): Json[] {
  return client
    .receivedSoFar("session/update")
    .map(({ params }) => params as { readonly sessionId: string; readonly update: Json })
    .filter((params) => params.sessionId === sessionId)
    .map(({ update }) => update);
}
