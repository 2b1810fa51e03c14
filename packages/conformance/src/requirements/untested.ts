// Reasons why no check covers a rule, as far as several rules share them.

export const notVisible: string =
  "The client's state and display are not visible on the wire; scenarios check that the client continues after the update (UPD-03, CAP-24).";
export const displayed: string = "It is about what the client displays, which only a person can check.";
export const permitted: string = "The rule permits something or leaves it open, so no peer can break it.";
export const otherTransport: string = "It is about a transport other than stdio.";
export const mainlyAgents: string =
  "It binds mainly the agent, which the agent scenarios test; the client's part is not visible on the wire.";
export const ownRoots: string = "Only the author of the client knows which roots the user has chosen.";
export const personLogsIn: string = "It needs a person who logs in at an interactive terminal.";
export const afterConsent: string = "It applies only after a person has accepted a URL.";
export const severalSessions: string =
  "It needs a client that opens several sessions, or continues after a cancelled turn, on command; clients have no common command for it. Watches check the messages of such a client (SESS-05, PROMPT-14).";
