import config from "@acp-kit/configs/tsup";

// One file for each entry, because each file costs an agent's start a millisecond. The error class is then in more than one of
// them: `isDecodeError` works for all.
export default config({ splitting: false });
