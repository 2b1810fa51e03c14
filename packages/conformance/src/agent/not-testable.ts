/** Rules that bind agents and are visible from outside in principle, with the reason why no scenario checks them. */
export const notTestableForAgents: Readonly<Record<string, string>> = {
  "TRANS-10": "The agent is tested over stdio; another channel has to be tested over that channel.",
  "SESS-10":
    "Whether a directory is in scope shows only in what the agent refuses there, and agents differ in what they refuse.",
  "DIR-07": "A root that an agent may not grant can't be known from outside: which it refuses is its own policy.",
  "DIR-09":
    "It takes an agent that can be made to read a relative path and to say where it looked; words alone don't do that.",
  "DIR-10": "As SESS-10: scope shows only in refusals, and which those are is the agent's policy.",
  "DIR-12":
    "An agent that follows a link out of its roots may do so by permission; from outside that can't be distinguished from an escape.",
  "LIST-13": "It takes two users with logins of their own; a test has one.",
  "CFG-07":
    "It is about what an agent does with a category that it gave itself, which nothing that a client sends can take away.",
  "NOTICE-06": "What a notice is relied on for is a matter of what its text means.",
  "ELICIT-27": "It takes a real login on a web page, and knowing the secret that comes out of it.",
  "ELICIT-29": "It takes a second client on the same agent process, which stdio doesn't have.",
  "ELICIT-45": "It takes two people, or two browsers, at the agent's web page.",
};
