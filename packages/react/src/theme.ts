// The declaration of `@acp-kit/react/theme.css`: TypeScript checks that the file of an import without names exists.
export {};
