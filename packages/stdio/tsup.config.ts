import config from "@acp-kit/configs/tsup";

// One file for each entry: code shared by entries is loaded by one of them, and each file costs an agent's start a millisecond.
export default config({ splitting: false });
