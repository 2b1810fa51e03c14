// Version 1 of the protocol: the same names and types as in `@acp-kit/types`.
export * from "@acp-kit/types";
