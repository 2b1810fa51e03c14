import config from "@acp-kit/configs/tsup";

// Each entry becomes one file, with its own copy of the code that entries share. A file with the shared code would cost
// an agent's start a millisecond.
export default config({ splitting: false });
