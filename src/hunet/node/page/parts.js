// Small things that every view needs. Whatever comes from others becomes text, never markup.

export const $ = id => document.getElementById(id);

// el("p.soft", {title: "x"}, "text", child): an element with classes, properties, and children.
export function el(kind, properties = {}, ...children) {
  const [name, ...classes] = kind.split(".");
  const one = document.createElement(name);
  if (classes.length) one.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key.startsWith("aria-") || key === "role" || key === "for" || key === "scope") one.setAttribute(key, value);
    else one[key] = value;
  }
  one.append(...children.filter(child => child !== undefined && child !== null));
  return one;
}

export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

export function span(seconds) {
  const steps = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  for (const [length, name] of steps) {
    if (seconds >= 0.97 * length) return count(Math.floor(seconds / length + 0.03), name);  // 59 minutes and 50 seconds are 1 hour
  }
  return "a moment";
}

export const ago = seconds => (seconds < 10 ? "just now" : `${span(seconds)} ago`);

export function bytes(number) {
  for (const [size, name] of [[2 ** 20, "MB"], [2 ** 10, "kB"]]) {
    if (number >= size) return `${(number / size).toFixed(number >= 10 * size ? 0 : 1)} ${name}`;
  }
  return count(number, "byte");
}

export const percent = share => `${Math.round(100 * share)} %`;

export function figures(pairs) {
  const list = el("dl.figures");
  for (const [name, value] of pairs) list.append(el("dt", {}, name), el("dd", {}, value));
  return list;
}

export function table(head, rows) {
  const cell = (kind, value, more) =>
    el(typeof value === "number" ? `${kind}.number` : kind, more, typeof value === "number" ? value.toLocaleString("en") : value);
  const numeric = head.map((_, i) => rows.length > 0 && typeof rows[0][i] === "number");
  return el("table", {},
    el("thead", {}, el("tr", {}, ...head.map((name, i) => el(numeric[i] ? "th.number" : "th", { scope: "col" }, name)))),
    el("tbody", {}, ...rows.map(row => el("tr", {}, ...row.map(value => cell("td", value))))));
}

export const shownTag = tag => (tag.endsWith("/#") ? `${tag.slice(0, -2)} and below` : tag);

let quiet;
// One line at the bottom, read out by screen readers, gone after a while.
export function say(text) {
  clearTimeout(quiet);
  $("said").textContent = text;
  quiet = setTimeout(() => { $("said").textContent = ""; }, 6000);
}
