const byReason: readonly (readonly [reason: string, ids: string])[] = [
  [
    "The client's state and display are not visible on the wire; scenarios check that the client continues after the update (UPD-03, CAP-24).",
    "INFO-02 INFO-05 MSG-02 MSG-03 MSG-05 MSG-07 PLAN-05 PLAN-07 TOOL-05 TOOL-06 TOOL-07 UPD-05 CMD-03 COMPACT-05 COMPACT-07 COMPACT-09 NOTICE-04 CFG-09",
  ],
  [
    "It is about what the client displays, which only a person can check.",
    "INIT-24 DIR-19 INFO-06 CONT-04 TOOL-14 TERM-18 CFG-06 CFG-10 NOTICE-08 CANCEL-03 ELICIT-13 ELICIT-15 ELICIT-16 ELICIT-17 ELICIT-28 ELICIT-35 ELICIT-36 ELICIT-41 ELICIT-43 ELICIT-44",
  ],
  [
    "The rule permits something or leaves it open, so no peer can break it.",
    "TRANS-09 MCP-01 MCP-11 PROMPT-05 PERM-05 PERM-12 SESS-35 LIST-15 CANCEL-16 CANCEL-19 CANCEL-23 EXT-04 EXT-10 ELICIT-46 ERR-02 INIT-25",
  ],
  ["It is about a transport other than stdio.", "TRANS-10 TRANS-11"],
  [
    "It binds mainly the agent, which the agent scenarios test; the client's part is not visible on the wire.",
    "RPC-11 LIST-02 SESS-33 INIT-14 INFO-04 CONT-03 CONT-07 CONT-08 PERM-03 PROMPT-11 EXT-08 WIRE-03 WIRE-05 WIRE-06 ELICIT-14 DIR-18 CANCEL-25",
  ],
  ["Only the author of the client knows which roots the user has chosen.", "DIR-05 DIR-17"],
  ["It needs a person who logs in at an interactive terminal.", "AUTH-09 AUTH-11 AUTH-12 AUTH-13 AUTH-15"],
  ["Only a person at the machine can see where the client opens a page.", "ELICIT-42"],
  ["It applies only after a person has accepted a URL.", "ELICIT-22 ELICIT-20"],
  [
    "It needs a client that opens several sessions, or continues after a cancelled turn, on command; clients have no common command for it. Watches check the messages of such a client (SESS-05, PROMPT-14).",
    "SESS-04 PROMPT-15 CANCEL-12",
  ],
  ["It needs a cancellation inside the client, which no message can cause.", "CANCEL-22"],
  [
    "The responses of a client may come in any order, so they do not show the order in which it handles messages.",
    "TRANS-14",
  ],
  [
    "Only the author of the client knows why the client uses modes; a watch checks that it sets only modes that exist (MODE-02).",
    "CFG-23",
  ],
  ["It needs a person who types a slash command; the client then sends an ordinary prompt.", "CMD-04"],
  ["Only the two peers know the meaning of an extension; a watch checks its messages (RPC-20).", "EXT-07"],
];

/** Rules for clients that no check covers, with the reason. */
export const notTestableForClients: Readonly<Record<string, string>> = Object.fromEntries(
  byReason.flatMap(([reason, ids]) => ids.split(" ").map((id) => [id, reason])),
);
