import { type ClientCheck, clientWatch } from "../../client/checks.js";
import { callOf } from "../../client/wire-event.js";
import { itemsOf, member, shown } from "../../wire/values.js";

/** The checks of clients: content blocks. */
export const contentBlocksClientChecks: readonly ClientCheck[] = [
  clientWatch({
    id: "payload/base64",
    title: "Data and blobs in a prompt are base64",
    verifies: ["CONT-02"],
    judge: (event) => {
      const call = callOf(event);
      if (call?.method !== "session/prompt") return undefined;
      const texts = itemsOf(member(call.params, "prompt"))
        .flatMap((block) => [member(block, "data"), member(block, "resource", "blob")])
        .filter((text) => typeof text === "string");
      if (texts.length === 0) return undefined;
      const wrong = texts.find((text) => !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0);
      return wrong === undefined ? "fine" : { received: shown(wrong) };
    },
  }),
];
