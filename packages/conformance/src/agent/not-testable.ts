/** Rules that bind agents and can be seen on the wire in principle, with the reason why no scenario looks at them. */
export const notTestableForAgents: Readonly<Record<string, string>> = {};
