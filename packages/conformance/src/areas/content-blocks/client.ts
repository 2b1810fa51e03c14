import { type ClientCheck, callWatch } from "../../client/checks.js";
import { itemsOf, member, shown } from "../../wire/values.js";

/** The checks of clients: content blocks. */
export const contentBlocksClientChecks: readonly ClientCheck[] = [
  callWatch("payload/base64", ["CONT-02"], {
    title: "Data and blobs in a prompt are base64",
    method: "session/prompt",
    judge: (call) => {
      const texts = itemsOf(member(call.params, "prompt"))
        .flatMap((block) => [member(block, "data"), member(block, "resource", "blob")])
        .filter((text) => typeof text === "string");
      if (texts.length === 0) return undefined;
      const wrong = texts.find((text) => !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0);
      return wrong === undefined || { received: shown(wrong) };
    },
  }),
];
