import type { ExtendTranscript } from "./transcript-extension.js";
import { v2Updates } from "./v2-updates.js";

/** The extension of transcripts that belong to no session: their updates can come from any connection. */
export const extendAll: ExtendTranscript = v2Updates;
