import "@acp-kit/react/theme.css";
import "./page.css";
import type { Recording } from "@acp-kit/testing/recording";
import { createRoot } from "react-dom/client";
import type { Mark } from "../src/node/marks/mark.js";
import { App } from "./app.js";
import { PromptQueue } from "./model/prompt-queue.js";
import { ServerLink } from "./model/server-link.js";
import { WireStore } from "./model/wire-store.js";
import { InspectedContext } from "./parts/context.js";

const store = new WireStore();
const data = document.getElementById("data");
const link = new ServerLink(store, location.hash.slice(1));
const prompts = new PromptQueue(store, link);
if (data === null) {
  link.connect();
} else {
  const { header, entries, problems, marks, title } = JSON.parse(data.textContent ?? "") as Recording & {
    readonly marks: readonly Mark[];
    readonly title?: string;
  };
  data.remove(); // the store contains a copy, so this element only uses memory
  store.reset(JSON.stringify(header));
  store.add(entries.map((entry) => JSON.stringify(entry)));
  store.setMarks(marks);
  link.state = { mode: "page", problems: problems.length, ...(title !== undefined && { title }) };
}
const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <InspectedContext value={{ store, link, prompts }}>
      <App />
    </InspectedContext>,
  );
}
