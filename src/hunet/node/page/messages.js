// Messages by tag: what came, what was written here, what is unread; writing, following, searching.

import { get, post, remove } from "/door.js";
import { $, ago, bytes, count, el, say, shownTag, span } from "/parts.js";

const AT_ONCE = 50;
const state = { interests: [], tag: null, search: "", shown: [], first: 0, visible: false };

const receivedAt = (one, seconds) => one.at - 1000 * seconds;
const since = (one, seconds) => (Date.now() - receivedAt(one, seconds)) / 1000;
const isUnread = one => !one.own && state.interests.some(each => one.cursor > each.read && one.allTags.includes(each.tag));

// Below others: a message under talks/room1 is one of talks/# too.
function withParents(tags) {
  const parents = tags.flatMap(tag => tag.split("/").slice(0, -1).map((_, i, levels) => `${levels.slice(0, i + 1).join("/")}/#`));
  return [...tags, ...parents];
}

const taken = messages => messages.map(one => ({ ...one, at: Date.now(), allTags: withParents(one.tags) }));

export async function loadInterests() {
  state.interests = (await get("/v1/interests")).interests;
  drawTags();
}

export async function loadMessages() {
  const found = await get("/v1/messages", { tag: state.tag, search: state.search, most: AT_ONCE });
  state.shown = taken(found.messages);
  state.first = found.first;
  $("older").hidden = found.messages.length < AT_ONCE;
  drawList();
  return found.cursor;
}

export function arrived(message) {
  const [one] = taken([message]);
  const known = state.shown.findIndex(each => each.cursor === one.cursor);
  const fits = (state.tag === null || one.allTags.includes(state.tag)) && state.search === "";
  if (known >= 0) state.shown[known] = one;
  else if (fits) state.shown.push(one);
  if (!one.own) say(`New: ${one.tags.join(", ")}`);
  if (fits) drawList();
  loadInterests();
}

export function show(visible) {
  state.visible = visible;
  if (visible) { drawList(); readSoon(); }
}

// ---------------------------------------------------------------- tags

function drawTags() {
  const everything = { tag: null, unread: 0 };
  $("tags").replaceChildren(...[everything, ...state.interests].map(tagItem));
  const unread = state.interests.reduce((sum, one) => sum + one.unread, 0);
  $("unread").hidden = unread === 0;
  $("unread").textContent = unread;
  $("unread").setAttribute("aria-label", `${unread} unread`);
  document.title = unread ? `(${unread}) hunet` : "hunet";
}

function tagItem(one) {
  const name = one.tag === null ? "All messages" : shownTag(one.tag);
  const badge = one.unread ? el("span.badge", { "aria-label": `${one.unread} unread` }, String(one.unread)) : undefined;
  const pick = el("button.tag", { type: "button", "aria-pressed": String(state.tag === one.tag), onclick: () => choose(one.tag) },
    el("span", {}, name), badge);
  const leave = one.tag === null ? undefined : el("button.leave", {
    type: "button", "aria-label": `Follow ${one.tag} no more`, title: "Follow it no more", onclick: () => unfollow(one.tag),
  }, "×");
  return el("li", {}, pick, leave);
}

async function choose(tag) {
  state.tag = tag;
  $("shown").textContent = tag === null ? "All messages" : shownTag(tag);
  if (tag !== null && !tag.endsWith("/#")) $("write-tags").value = tag;
  drawTags();
  await loadMessages();
  readSoon();
}

async function unfollow(tag) {
  await remove("/v1/interests", { tag });
  say(`You follow ${tag} no more. What came stays here.`);
  if (state.tag === tag) await choose(null);
  await loadInterests();
}

// ---------------------------------------------------------------- the list

function drawList() {
  const newest = [...state.shown].reverse();
  $("list").replaceChildren(...newest.map(item));
  $("nothing").hidden = newest.length > 0;
  if (newest.length) return;
  if (state.search) $("nothing").textContent = `Nothing here says "${state.search}".`;
  else if (!state.interests.length) $("nothing").textContent = "Nothing yet. Follow a tag to get what others publish under it, or write something yourself.";
  else $("nothing").textContent = "Nothing yet. Messages come when this device meets another one that carries them.";
}

function item(one) {
  const unread = isUnread(one);
  const text = one.text === null ? el("p.text.soft", {}, `Data that is no text: ${bytes(atob(one.data).length)}`) : el("p.text", {}, one.text);
  const came = one.own
    ? [`${ago(since(one, one.age))}, by you`, one.taken_by ? `taken by ${count(one.taken_by, "device")}` : "taken by nobody yet"]
    : [`${ago(since(one, one.age))}, by ${one.author_name}`, `${count(one.hops, "hop")}, brought by ${one.from_name} ${ago(since(one, one.came))}`];
  const left = one.ends === null ? null : one.ends - since(one, 0);
  const ends = left === null ? undefined : left > 0 ? `carried for ${span(left)} more` : "no longer carried";
  return el(unread ? "li.message.unread" : "li.message", {},
    el("div.chips", {},
      ...one.tags.map(tag => el("button.chip", { type: "button", title: `Show only ${tag}`, onclick: () => choose(tag) }, tag)),
      unread ? el("span.new", {}, "new") : undefined),
    text,
    el("p.facts", {}, ...[...came, ends].filter(Boolean).map(fact => el("span", {}, fact))));
}

export function refreshAges() {
  if (state.visible && !document.hidden && !$("list").contains(document.activeElement)) drawList();
}

// What is on the screen for a moment has been read.
let reading;
function readSoon() {
  clearTimeout(reading);
  reading = setTimeout(async () => {
    if (!state.visible || document.hidden || !state.shown.length || state.search) return;
    const last = state.shown[state.shown.length - 1].cursor;
    const due = state.interests.filter(one => one.unread && (state.tag === null || state.tag === one.tag));
    for (const one of due) await post("/v1/read", { tag: one.tag, cursor: last });
    if (due.length) await loadInterests();  // marks in the list stay until it is drawn again
  }, 2000);
}
document.addEventListener("visibilitychange", readSoon);

// ---------------------------------------------------------------- writing, following, searching

const guarded = work => async event => {
  event.preventDefault();
  try {
    await work(event);
  } catch (error) {
    say(error.message);
  }
};

$("write").addEventListener("submit", guarded(async () => {
  const tags = [...new Set($("write-tags").value.split(",").map(tag => tag.trim()).filter(Boolean))];
  await post("/v1/messages", { tags, text: $("write-text").value, lifetime: Number($("write-for").value) });
  $("write-text").value = "";
  say("It is kept on this device now, and goes to those you meet who want it or bring it further.");
}));
$("write-text").addEventListener("keydown", event => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) $("write").requestSubmit();
});

$("follow").addEventListener("submit", guarded(async () => {
  const tag = $("follow-tag").value.trim();
  await post("/v1/interests", { tag });
  $("follow-tag").value = "";
  say(`You follow ${shownTag(tag)}.`);
  await loadInterests();
}));

$("writing").open = matchMedia("(min-width: 46rem)").matches;

let typing;
$("search-words").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => { state.search = $("search-words").value.trim(); loadMessages(); }, 250);
});
$("search").addEventListener("submit", event => event.preventDefault());

$("older").addEventListener("click", async () => {
  const found = await get("/v1/messages", { tag: state.tag, search: state.search, most: AT_ONCE, before: state.first });
  state.shown = [...taken(found.messages), ...state.shown];
  state.first = found.first;
  $("older").hidden = found.messages.length < AT_ONCE;
  drawList();
});
