export type { Recorder, Recording } from "@acp-kit/testing/recording";
export { type InspectorHtmlOptions, inspectorHtml } from "./export/inspector-html.js";
export type { Mark } from "./marks/mark.js";
export {
  type InspectAgentOptions,
  type Inspector,
  type InspectorOptions,
  inspectAgent,
  inspectorInitialize,
  inspectProxy,
  inspectRecording,
  type LiveInspectorOptions,
  type ProxyInspector,
} from "./open-inspector.js";
export type { AccessMode, AccessSetting } from "./page/protocol.js";
export type { OpenAgent } from "./wire/live-agent.js";
