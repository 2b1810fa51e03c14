// Version 2 of the protocol, a draft: the same names and types as in `@acp-kit/types/v2`.
export * from "@acp-kit/types/v2";
