// Version 1 of the protocol: the same names, and the same types, as in the smaller package.
export * from "@acp-kit/types";
