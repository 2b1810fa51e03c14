import config, { importedLater } from "@acp-kit/configs/tsup";

export default config(importedLater("src/client/resume/resuming-transport.ts"));
