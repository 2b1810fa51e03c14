// Exports for all platforms: the rules, scenarios, watches and reports.

export { remoteRequirements } from "./areas/remote-transport/rules.js";
export { version2Rules } from "./areas/version-2/rules.js";
export type { Dialogue, DialogueEntry } from "./dialogue.js";
export { unknownExpectedFailure } from "./expected-failures.js";
export type { Evidence, ReceivedResponse, ResponseMatcher } from "./finding.js";
export { compareReports, type ReportComparison } from "./report/compare-reports.js";
export type {
  ConformanceReport,
  ReportCounts,
  ReportFault,
  ReportMaking,
  ReportSubject,
  ReportVerdict,
  RequirementReport,
  ScenarioReport,
} from "./report/report.js";
export { reportHtml } from "./report/report-html.js";
export { reportJUnit } from "./report/report-junit.js";
export { type Paint, reportText } from "./report/report-text.js";
export { reproScript } from "./report/repro/repro-script.js";
export { type Citation, citationOf } from "./requirements/citation.js";
export { requirementOf } from "./requirements/find-requirement.js";
export type {
  Requirement,
  RequirementLevel,
  RequirementSource,
  Role as TestedRole,
  Tier,
} from "./requirements/requirement.js";
export { requirements } from "./requirements/requirements.js";
export { revisions } from "./requirements/revisions.js";
export type { Quote, QuoteSource, Specification, Statement } from "./requirements/specification.js";
export { tierOf } from "./requirements/tier.js";
export type { Observation, Scenario, ScenarioContext, Watch } from "./scenario.js";
export type { Finding, Verdict } from "./verdict.js";

// Agents.

export { agentScenarios, agentWatches } from "./agent/agent-checks.js";
export type { AgentContext as AgentScenarioContext } from "./agent/agent-context.js";
export type { AgentTestOptions } from "./agent/agent-options.js";
export type { AgentScenario } from "./agent/agent-scenario.js";
export { type PromptPurpose, type Prompts, promptPresets, promptPurposes } from "./agent/prompt-purposes.js";
export { version2AgentWatches, version2Scenarios } from "./areas/version-2/agent.js";
export type { PeerExit as TestedAgentExit, PeerProcess as TestedAgentProcess } from "./wire/peer-process.js";

// Servers of agents.

export { remoteScenarios } from "./areas/remote-transport/server.js";
export type { RemoteContext as RemoteScenarioContext, RemoteScenario } from "./remote/remote-context.js";

// Clients.

export { version2ClientWatches } from "./areas/version-2/client.js";
export type { AgentLink, AgentLinkListener } from "./client/agent-link.js";
export { clientScenarios, clientWatches } from "./client/client-checks.js";
export type { ClientScenarioContext } from "./client/client-context.js";
export type { ClientDriving } from "./client/client-options.js";
export type { ClientProcess, ExitStatus, LaunchClient, LaunchOptions } from "./client/client-process.js";
