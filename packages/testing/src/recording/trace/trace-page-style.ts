/** The style of the page. It follows the system's light or dark mode, or the reader's choice. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#f7f7f5, #131417); --panel: light-dark(#ffffff, #1a1c20); --raised: light-dark(#f0efec, #23262b);
  --line: light-dark(#e2e0db, #2d3036); --text: light-dark(#1d1e21, #e6e6e3); --dim: light-dark(#6b6a66, #989a9f);
  --client: light-dark(#2456c7, #7aa5ff); --agent: light-dark(#8a3ca8, #d08bea); --bad: light-dark(#c0261f, #ff7b72);
  --good: light-dark(#1c7a43, #6fcf97); --mark: light-dark(#fff1c2, #4a3f14); --pick: light-dark(#e4ecff, #22304d);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
  --life: light-dark(#c9c6bf, #43474f);
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body {
  display: flex; flex-direction: column; background: var(--bg); color: var(--text);
  font: 13px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif;
}
header { padding: 12px 18px 10px; background: var(--panel); border-bottom: 1px solid var(--line); }
.title { display: flex; align-items: baseline; gap: 12px; flex-wrap: wrap; }
h1 { font-size: 15px; margin: 0; font-weight: 650; letter-spacing: -0.01em; overflow-wrap: anywhere; }
.facts { color: var(--dim); display: flex; gap: 14px; flex-wrap: wrap; }
.facts b { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; }
.facts .bad b, .facts .bad { color: var(--bad); }
.spring { flex: 1; }
.filters { display: flex; gap: 8px; margin-top: 10px; flex-wrap: wrap; align-items: center; }
input, select, button {
  font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 7px; padding: 4px 9px; min-height: 30px;
}
input[type="search"] { flex: 1 1 200px; min-width: 140px; }
select { max-width: 240px; }
button { cursor: pointer; }
button:hover { border-color: var(--dim); }
button[aria-pressed="true"] { background: var(--bad); border-color: var(--bad); color: var(--panel); }
:focus-visible { outline: 2px solid var(--client); outline-offset: 1px; }
.count { color: var(--dim); font-variant-numeric: tabular-nums; white-space: nowrap; }
main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(420px, 1fr) minmax(320px, 40%); }
.sequence { display: flex; flex-direction: column; min-width: 0; min-height: 0; }
.heads, .row { display: grid; grid-template-columns: 78px 300px minmax(0, 1fr); }
.heads { color: var(--dim); font-size: 11px; border-bottom: 1px solid var(--line); background: var(--panel); padding-right: 12px; }
.heads > span { padding: 6px 8px; }
.heads .ends { display: flex; justify-content: space-between; padding: 6px 10px; font-weight: 650; text-transform: uppercase; letter-spacing: 0.06em; }
.heads .ends :first-child { color: var(--client); }
.heads .ends :last-child { color: var(--agent); }
.list { flex: 1; overflow-y: auto; position: relative; overflow-anchor: none; background: var(--panel); }
.list:focus-visible { outline: none; box-shadow: inset 0 2px var(--client); }
.space { position: relative; width: 100%; overflow: hidden; }
.row { position: absolute; left: 0; right: 0; height: 34px; cursor: pointer; align-items: stretch; }
.row:hover { background: var(--raised); }
.row.pair { background: var(--mark); }
.row.picked { background: var(--pick); box-shadow: inset 3px 0 var(--client); }
.time { padding: 9px 8px 0 0; text-align: right; color: var(--dim); font: 11px var(--mono); font-variant-numeric: tabular-nums; }
.diagram { position: relative; }
.diagram::before, .diagram::after { content: ""; position: absolute; top: 0; bottom: 0; width: 1px; background: var(--life); }
.diagram::before { left: 32px; }
.diagram::after { right: 32px; }
.method {
  position: absolute; left: 40px; right: 40px; top: 4px; text-align: center; font: 11.5px var(--mono); white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis; color: var(--text);
}
.arrow { position: absolute; left: 33px; right: 33px; bottom: 7px; border-top: 1.5px solid var(--client); }
.arrow::after {
  content: ""; position: absolute; right: 0; top: -5px; border: 4px solid transparent; border-left: 7px solid var(--client); border-right: 0;
}
.agent .arrow { border-color: var(--agent); }
.agent .arrow::after { left: 0; right: auto; border-left: 0; border-right: 7px solid var(--agent); border-left-color: transparent; }
.response .arrow { border-top-style: dashed; }
.response .method { color: var(--dim); }
.failed .arrow { border-color: var(--bad); }
.failed.client .arrow::after { border-left-color: var(--bad); }
.failed.agent .arrow::after { border-right-color: var(--bad); }
.failed .method, .failed .preview { color: var(--bad); }
.noise .arrow { border-top-style: dotted; }
.aside {
  position: absolute; top: 7px; right: 8px; height: 20px; padding: 0 9px; border-radius: 10px; background: var(--raised); border: 1px solid var(--line);
  font-size: 11px; line-height: 18px; color: var(--dim); z-index: 1;
}
.preview { padding: 8px 12px 0 8px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; color: var(--dim); }
.request .preview { color: var(--text); }
.dot { display: inline-block; min-width: 20px; padding: 0 4px; margin-right: 7px; border-radius: 4px; font: 10px/15px var(--mono); text-align: center; color: var(--panel); }
.took { color: var(--good); font: 11px var(--mono); margin-right: 7px; }
.empty { padding: 40px; text-align: center; color: var(--dim); }
.detail { border-left: 1px solid var(--line); background: var(--bg); overflow: auto; padding: 14px 18px 40px; min-width: 0; }
.detail h2 { font: 600 14px var(--mono); margin: 0 0 10px; overflow-wrap: anywhere; }
.detail dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 14px; margin: 0 0 12px; }
.detail dt { color: var(--dim); }
.detail dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.detail .go { margin-bottom: 12px; display: flex; gap: 8px; flex-wrap: wrap; }
pre { margin: 0; font: 12px/1.55 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; }
.key { color: var(--client); } .string { color: var(--good); } .number { color: var(--agent); } .word { color: var(--bad); }
footer { color: var(--dim); font-size: 11px; padding: 5px 18px; border-top: 1px solid var(--line); background: var(--panel); }
kbd { font: 10px var(--mono); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 4px; background: var(--raised); color: var(--text); }
footer span { margin-right: 14px; white-space: nowrap; }
@media (max-width: 900px) {
  main { grid-template-columns: 1fr; grid-template-rows: 55% 45%; }
  .heads, .row { grid-template-columns: 64px 220px minmax(0, 1fr); }
  .detail { border-left: 0; border-top: 1px solid var(--line); }
}
`;
