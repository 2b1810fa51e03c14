import config from "@acp-kit/configs/tsup";

// One file for each entry, because each file costs an agent's start a millisecond. The error class is in more than one of them then:
// `isDecodeError` holds for all.
export default config({ splitting: false });
