#!/usr/bin/env bash
# The step of action.yml: tests an agent, writes the reports and the summary of the job, and exits with the code of the verdict.
# ACP_AGENT and ACP_OPTIONS are split at spaces. With -f, a `*` in them is not replaced by names of files.
set -feuo pipefail

mkdir -p "$ACP_REPORTS"
code=0
# shellcheck disable=SC2086 # both are split on purpose
npx --yes "acp-kit@$ACP_VERSION" conformance agent $ACP_OPTIONS \
  --json "$ACP_REPORTS/report.json" --html "$ACP_REPORTS/report.html" --junit "$ACP_REPORTS/report.xml" \
  --repro "$ACP_REPORTS/repro" -- $ACP_AGENT | tee "$ACP_REPORTS/report.txt" || code=$?

if [ -f "$ACP_REPORTS/report.json" ]; then
  verdict=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).verdict' "$ACP_REPORTS/report.json")
  echo "verdict=$verdict" >> "$GITHUB_OUTPUT"
  { echo "### ACP conformance: $verdict"; echo '```'; tail -n 12 "$ACP_REPORTS/report.txt"; echo '```'; } >> "$GITHUB_STEP_SUMMARY"
fi
exit "$code"
