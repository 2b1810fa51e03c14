/** Rules for agents that are in principle observable from outside, with the reason why no scenario checks them. */
export const notTestableForAgents: Readonly<Record<string, string>> = {
  "TRANS-10": "The kit tests agents over stdio; the scenarios of the remote transports check this rule for servers.",
  "SESS-10": "Whether a directory is in scope shows only in refusals, and agents differ in their refusals.",
  "DIR-07": "Which roots an agent refuses is its own policy, which is not visible from outside.",
  "DIR-09":
    "It needs an agent that reads a relative path on command and reports the resolved path; no prompt guarantees that.",
  "DIR-10":
    "As for SESS-10: whether a directory is in scope shows only in refusals, and agents differ in their refusals.",
  "DIR-12":
    "An agent that follows a link out of its roots may do so by permission; from outside that can't be distinguished from an escape.",
  "LIST-13": "It needs two users with different logins; a test has only one.",
  "CFG-07": "It is about categories that the agent itself sends; no message of a client has an effect on them.",
  "NOTICE-06": "Whether a client has to rely on a notice depends on the meaning of its text.",
  "ELICIT-27": "It needs a real login on a web page, and the secret that the login produces.",
  "ELICIT-29": "It needs a second client on the same agent process, which is impossible over stdio.",
  "ELICIT-45": "It needs two people or two browsers on the agent's web page.",
};
