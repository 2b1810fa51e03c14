/**
 * The script of the page. It creates elements and sets their text, and never parses anything as HTML: recordings are not to be
 * trusted. Only the visible rows exist, so that ten thousand messages are as fast as ten.
 */
export const pageScript: string = String.raw`
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { rows, entries, facts } = data;
  const ROW = 34;
  const byId = (id) => document.getElementById(id);
  const make = (name, className, text) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const list = byId("list"), space = byId("space"), detail = byId("detail"), search = byId("search");
  const method = byId("method"), session = byId("session"), side = byId("side"), errors = byId("errors"), count = byId("count");

  document.title = facts.title;
  byId("name").textContent = facts.title;
  for (const [value, label, bad] of facts.numbers) {
    const fact = make("span", bad ? "bad" : "");
    fact.append(make("b", "", value), " " + label);
    byId("facts").append(fact);
  }

  const sessions = [...new Set(rows.map((row) => row.session).filter(Boolean))];
  const sessionName = (id) => "s" + (sessions.indexOf(id) + 1);
  const hues = [250, 160, 310, 85, 205, 340, 130, 280]; // none is the red of errors
  const hue = (id) => "oklch(0.6 0.13 " + hues[sessions.indexOf(id) % hues.length] + ")";
  const option = (select, value, label) => {
    const element = make("option", "", label);
    element.value = value;
    select.append(element);
  };
  for (const name of [...new Set(rows.map((row) => row.method).filter(Boolean))].sort()) option(method, name, name);
  for (const id of sessions) option(session, id, sessionName(id) + "  " + id);

  const haystacks = [];
  const haystack = (index) => (haystacks[index] ??= (rows[index].method + " " + rows[index].preview + " " + JSON.stringify(entries[rows[index].entry])).toLowerCase());

  let shown = rows.map((_, index) => index);
  let picked = -1;

  function filter() {
    const words = search.value.trim().toLowerCase();
    const onlyErrors = errors.getAttribute("aria-pressed") === "true";
    shown = [];
    rows.forEach((row, index) => {
      if (method.value && row.method !== method.value) return;
      if (session.value && row.session !== session.value) return;
      if (side.value === "process" ? row.from && row.kind !== "stderr" : side.value && (row.from !== side.value || row.kind === "stderr")) return;
      if (onlyErrors && !row.failed) return;
      if (words && !haystack(index).includes(words)) return;
      shown.push(index);
    });
    count.textContent = shown.length === rows.length ? rows.length + " rows" : shown.length + " of " + rows.length;
    space.style.height = shown.length * ROW + "px";
    byId("empty").hidden = shown.length > 0;
    if (picked !== -1 && shown.includes(picked)) reveal(picked);
    draw();
  }

  const seconds = (ms) => (ms / 1000).toFixed(3);
  const took = (ms) => (ms < 1 ? ms.toFixed(2) + " ms" : ms < 10000 ? Math.round(ms) + " ms" : (ms / 1000).toFixed(1) + " s");

  function rowElement(index, at) {
    const row = rows[index];
    const pair = picked !== -1 && rows[picked].pair === index;
    const element = make("div", ["row", row.kind, row.from, row.failed ? "failed" : "", index === picked ? "picked" : "", pair ? "pair" : ""].join(" "));
    element.id = "row-" + index;
    element.setAttribute("role", "option");
    element.setAttribute("aria-selected", String(index === picked));
    element.setAttribute("aria-posinset", String(at + 1));
    element.setAttribute("aria-setsize", String(shown.length));
    element.style.top = at * ROW + "px";
    element.append(make("span", "time", seconds(row.t)));
    const diagram = make("span", "diagram");
    if (row.kind === "process" || row.kind === "note" || row.kind === "stderr") {
      diagram.append(make("span", "aside", row.kind));
    } else {
      const update = row.method === "session/update" && row.preview.split(" ", 1)[0];
      const label = update || row.kind === "noise" ? update || "not a message" : row.kind === "response" ? "↩ " + (row.method ?? "answers nothing") : row.method;
      diagram.append(make("span", "method", label), make("span", "arrow"));
    }
    const preview = make("span", "preview");
    if (row.session) {
      const dot = make("span", "dot", sessionName(row.session));
      dot.style.background = hue(row.session);
      preview.append(dot);
    }
    if (row.durationMs !== undefined) preview.append(make("span", "took", took(row.durationMs)));
    preview.append(row.method === "session/update" ? row.preview.slice(row.preview.indexOf(" ") + 1 || Infinity) : row.preview);
    element.append(diagram, preview);
    element.addEventListener("click", () => pick(index));
    return element;
  }

  function draw() {
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 10);
    const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 10);
    const elements = [];
    for (let at = first; at < last; at += 1) elements.push(rowElement(shown[at], at));
    space.replaceChildren(...elements);
    if (picked !== -1) list.setAttribute("aria-activedescendant", "row-" + picked);
  }

  function reveal(index) {
    const at = shown.indexOf(index);
    if (at === -1) return;
    const top = at * ROW, bottom = top + ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }

  function pick(index) {
    picked = index;
    reveal(index);
    draw();
    describe(index);
  }

  function goTo(index) {
    if (!shown.includes(index)) clear();
    pick(index);
    list.focus();
  }

  const LONG = 100000;

  function describe(index) {
    const row = rows[index], entry = entries[row.entry];
    detail.replaceChildren();
    detail.scrollTop = 0;
    detail.append(make("h2", "", row.method ?? row.kind));
    const table = make("dl");
    const fact = (name, value) => {
      if (value !== undefined && value !== "") table.append(make("dt", "", name), make("dd", "", String(value)));
    };
    fact("what", row.kind + (row.failed ? ", an error" : ""));
    fact("from", row.from);
    fact("id", row.id);
    fact("session", row.session && sessionName(row.session) + "  " + row.session);
    fact("time", seconds(row.t) + " s" + (index > 0 ? "  (+" + took(row.t - rows[index - 1].t) + ")" : ""));
    fact("answered after", row.durationMs !== undefined ? took(row.durationMs) : row.pair !== undefined ? took(rows[row.pair].t - row.t) : row.kind === "request" ? "never" : undefined);
    fact("size", row.bytes && row.bytes.toLocaleString("en") + " bytes");
    detail.append(table);
    if (row.pair !== undefined) {
      const go = make("div", "go");
      const button = make("button", "", row.kind === "request" ? "Go to the response" : "Go to the request");
      button.addEventListener("click", () => goTo(row.pair));
      go.append(button);
      detail.append(go);
    }
    const value = entry.kind === "message" ? entry.message : entry.kind === "noise" || entry.kind === "stderr" ? entry.text : entry;
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
    const pre = make("pre");
    pre.tabIndex = 0;
    paint(pre, text.slice(0, LONG), typeof value !== "string");
    detail.append(pre);
    if (text.length > LONG) {
      const button = make("button", "", "Show all " + text.length.toLocaleString("en") + " characters");
      button.addEventListener("click", () => {
        pre.textContent = text;
        button.remove();
      });
      detail.append(button);
    }
  }

  function paint(pre, text, isJson) {
    if (!isJson) {
      pre.textContent = text;
      return;
    }
    const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;
    let end = 0;
    for (let found = token.exec(text); found !== null; found = token.exec(text)) {
      pre.append(text.slice(end, found.index));
      const [all, string, colon] = found;
      if (string !== undefined) pre.append(make("span", colon === undefined ? "string" : "key", string), colon ?? "");
      else pre.append(make("span", /^[tfn]/.test(all) ? "word" : "number", all));
      end = token.lastIndex;
    }
    pre.append(text.slice(end));
  }

  function clear() {
    search.value = "";
    method.value = "";
    session.value = "";
    side.value = "";
    errors.setAttribute("aria-pressed", "false");
    filter();
  }

  function move(by) {
    if (shown.length === 0) return;
    const at = shown.indexOf(picked);
    pick(shown[at === -1 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))]);
  }

  list.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
    const moves = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) {
      event.preventDefault();
      move(moves[event.key]);
    } else if ((event.key === "Enter" || event.key === "p") && picked !== -1 && rows[picked].pair !== undefined) {
      event.preventDefault();
      goTo(rows[picked].pair);
    }
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !typing) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "e" && !typing) {
      errors.click();
    } else if (event.key === "Escape") {
      clear();
      list.focus();
    }
  });
  for (const control of [method, session, side]) control.addEventListener("change", filter);
  search.addEventListener("input", filter);
  errors.addEventListener("click", () => {
    errors.setAttribute("aria-pressed", String(errors.getAttribute("aria-pressed") !== "true"));
    filter();
  });
  byId("clear").addEventListener("click", clear);
  byId("theme").addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    document.documentElement.dataset.theme = dark === "dark" ? "light" : "dark";
  });
  let asked = false;
  list.addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  });
  new ResizeObserver(draw).observe(list);
  filter();
  list.focus();
  if (rows.length > 0) pick(0);
})();
`;
