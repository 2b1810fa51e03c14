const byReason: readonly (readonly [reason: string, ids: string])[] = [
  [
    "The client's state and display do not come back over the wire; scenarios check that the update breaks nothing (UPD-03, CAP-24).",
    "INFO-02 INFO-05 MSG-02 MSG-03 MSG-05 MSG-07 PLAN-05 PLAN-07 TOOL-05 TOOL-06 TOOL-07 UPD-05 CMD-03 COMPACT-05 COMPACT-07 COMPACT-09 NOTICE-04 CFG-09",
  ],
  [
    "It is about the display, which needs a person to look at it.",
    "INIT-24 DIR-19 INFO-06 CONT-04 TOOL-14 TERM-18 CFG-06 CFG-10 NOTICE-08 CANCEL-03 ELICIT-13 ELICIT-15 ELICIT-16 ELICIT-17 ELICIT-28 ELICIT-35 ELICIT-36 ELICIT-41 ELICIT-43 ELICIT-44",
  ],
  [
    "It allows something, or names what is not specified, so that no peer can break it.",
    "TRANS-09 MCP-01 MCP-11 PROMPT-05 PERM-05 PERM-12 SESS-35 LIST-15 CANCEL-16 CANCEL-19 CANCEL-23 EXT-04 EXT-10 ELICIT-46 ERR-02 INIT-25",
  ],
  ["It is about a transport other than stdio.", "TRANS-10 TRANS-11"],
  [
    "The duty of the other side is tested with agents; on the client's side nothing is visible.",
    "RPC-11 LIST-02 SESS-18 SESS-33 INIT-14 INFO-04 CONT-03 CONT-07 CONT-08 PERM-03 PROMPT-11 EXT-08 WIRE-03 WIRE-05 WIRE-06 ELICIT-14 DIR-18 CANCEL-25",
  ],
  [
    "Only the author of the client knows what it meant to send: which roots a user has chosen, where they come from.",
    "DIR-05 DIR-17",
  ],
  ["It needs a person who logs in at an interactive terminal.", "AUTH-09 AUTH-11 AUTH-12 AUTH-13 AUTH-15"],
  ["Where a page is opened is outside of every pipe: it needs a person to look at the machine.", "ELICIT-42"],
  ["A URL that was accepted is a person's decision, and so is everything after it.", "ELICIT-22 ELICIT-20"],
  [
    "It needs a client that opens several sessions, or goes on after a cancelled turn, on command; clients have no common command for it. Watches check what such a client sends (SESS-05, PROMPT-14).",
    "SESS-04 PROMPT-15 CANCEL-12",
  ],
  ["It needs something inside the client to be cancelled, which nothing outside can cause.", "CANCEL-22"],
  [
    "The order in which a client acts on messages does not show in its answers, which may come in any order.",
    "TRANS-14",
  ],
  [
    "Whether a client falls back to modes for want of config options is known to its author; that it uses them rightly is watched (MODE-02).",
    "CFG-23",
  ],
  ["It needs a person who types a slash command; what is sent then is a prompt like any other.", "CMD-04"],
  ["An extension is between its two sides; what is sent of it is watched as a message (RPC-20).", "EXT-07"],
];

/** Rules that bind clients and that no check covers, with the reason. */
export const notTestableForClients: Readonly<Record<string, string>> = Object.fromEntries(
  byReason.flatMap(([reason, ids]) => ids.split(" ").map((id) => [id, reason])),
);
