// The definition of the extension, for both sides. The name begins with an underscore and a domain that you own.
import { z } from "zod";

// #region shared
export const WORD_COUNT = "_example.com/word_count";
export const WORDS_SEEN = "_example.com/words_seen";
export const ANNOUNCED = "example.com";

export const wordCountParams = z.object({ text: z.string() });
export const wordCountResult = z.object({ words: z.number().int() });
// #endregion shared
