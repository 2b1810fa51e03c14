// Version 2 of the protocol, a draft: the same names, and the same types, as in the smaller package.
export * from "@acp-kit/types/v2";
