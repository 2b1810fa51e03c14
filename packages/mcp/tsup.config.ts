import config from "@acp-kit/configs/tsup";

export default config();
