// The views beside messages: each asks the node and draws what it says.

import { get, post } from "/door.js";
import { $, ago, bytes, count, el, figures, percent, say, shownTag, span, table } from "/parts.js";

const DAY = 86400;
const card = (title, ...children) => el("section.card", {}, el("h2", {}, title), ...children);
const soft = text => el("p.soft.small", {}, text);

// ---------------------------------------------------------------- people

export async function people() {
  const { peers, today } = await get("/v1/peers");
  const near = peers.length
    ? el("ul.plain", {}, ...peers.map(one => el("li", { title: `key ${one.peer}` }, `${one.name}, for ${span(one.seconds)}`)))
    : el("p.empty", {}, "Nobody at the moment. Devices of this network in the same Wi-Fi find each other by themselves.");
  const day = today.length
    ? [el("ol.day", {}, ...today.map(dayOf)), el("p.scale", { "aria-hidden": "true" }, el("span", {}, "24 hours ago"), el("span", {}, "12 hours ago"), el("span", {}, "now"))]
    : [el("p.empty", {}, "Nobody yet.")];
  $("people").replaceChildren(
    card("Near now", near, soft("Names are made of keys, and mean this network only. A device is not a person: lend it, and its name goes along.")),
    card("Who was near in the last 24 hours", ...day));
}

function dayOf(one) {
  const bars = one.contacts.map(contact => {
    const bar = el("i");
    const began = Math.min(contact.began, DAY);
    bar.style.right = `${(100 * contact.ended) / DAY}%`;
    bar.style.width = `${(100 * (began - contact.ended)) / DAY}%`;
    return bar;
  });
  const last = one.contacts[one.contacts.length - 1];
  const total = one.contacts.reduce((sum, contact) => sum + Math.min(contact.began, DAY) - contact.ended, 0);
  const words = `${count(one.contacts.length, "time")}, ${span(total)} in all, ${one.near ? "near now" : `last ${ago(last.ended)}`}`;
  return el("li", { title: `key ${one.peer}` },
    el("span", {}, one.name, el("span.soft.small", {}, ` ${words}`)),
    el("span.track", { "aria-hidden": "true" }, ...bars));
}

// ---------------------------------------------------------------- what I carry

export async function carried() {
  const found = await get("/v1/carried");
  const load = (whose, words) => {
    const meter = el("meter", { min: 0, max: found.room[whose], value: found[whose].bytes, "aria-label": words });
    return el("div", {}, el("p", {}, `${words}: ${count(found[whose].messages, "message")}, ${bytes(found[whose].bytes)} of ${bytes(found.room[whose])}`), meter);
  };
  const gone = Object.entries(found.gone).sort((a, b) => b[1] - a[1]);
  $("carried").replaceChildren(
    card("On this device now",
      load("others", `For others, written by ${count(found.authors, "author")}`),
      load("own", "Written here"),
      soft(`You carry for others as they carry for you. No author gets more than ${bytes(found.room.author)} of your room. When it is full, the author who has most of it loses something first.`)),
    card("Given on", el("p.big", {}, String(found.forwarded)), soft("copies that others took from this device since it started.")),
    card("Let go or refused since the start", gone.length
      ? table(["Why", "Messages"], gone.map(([why, number]) => [why, number]))
      : el("p.empty", {}, "Nothing so far.")));
}

// ---------------------------------------------------------------- what others learn

export async function leak() {
  const busy = el("p.empty", {}, "Attacking your own digest with a dictionary …");
  if (!$("leak").childElementCount) $("leak").replaceChildren(busy);
  const found = await get("/v1/leak");
  if (!found.interests.length) {
    $("leak").replaceChildren(card("Nothing to find out", el("p", {}, "You follow no tag, so there is nothing to learn from what your device tells.")));
    return;
  }
  $("leak").replaceChildren(
    el("p", {}, `To get messages, your device tells those it meets what it is looking for: a digest of ${count(found.bytes, "byte")}, not the words themselves. Whoever has it can ask it about every word of a dictionary. Here that was done, with ${count(found.words, "word")}, on what your device tells right now.`),
    el("div.cards", {}, against("A stranger near you", found.stranger, found.interests,
      "A stranger is told nothing at all: the digest goes to members only, sealed. Even with your digest in hand, without the network's key his guesses are chance."),
    against("A member of this network", found.member, found.interests,
      "Every member can do this: it is the price of being found. Those you meet, and whoever they hand the network's key to.")),
    found.member.others.length ? card("And those you met",
      el("p", {}, `Your device also tells, without names, what people want whom it is likely to meet again. A member would take ${count(found.member.others.length, "word")} for such interests.`),
      soft("So messages find their way over several hands. Spray-and-Wait (hunet node run --protocol spray) says nothing of others, and delivers less.")) : "",
    card("What would change it", table(["If you", "a member would find", "and be right"], changes(found)),
      soft("B-SUB-P mixes what you want with what you pass on for others, so it hides you the better, the more people you have met; messages may take longer. Of a secret topic only those who know its secret can make out that you follow it.")));
}

function against(title, view, interests, words) {
  const right = view.guessed.length;
  return card(title,
    el(right ? "p.big.bad" : "p.big.good", {}, `${right} of ${interests.length}`),
    el("p", {}, `of your interests guessed${view.candidates.length ? `, among ${count(view.candidates.length, "guess", "guesses")}: ${percent(view.sure)} of them right` : ""}.`),
    el("ul.plain", {}, ...interests.map(tag => el("li.guess", {}, el("span", {}, shownTag(tag)),
      view.guessed.includes(tag) ? el("span.verdict.bad", {}, "found out") : el("span.verdict.good", {}, "hidden")))),
    soft(words));
}

function changes(found) {
  const row = (what, view) => [what, `${view.guessed.length} of ${found.interests.length}`,
    view.candidates.length ? `in ${percent(view.sure)} of ${count(view.candidates.length, "guess", "guesses")}` : "with no guess"];
  const rows = [row("change nothing", found.member)];
  if (found.bsubp) rows.push(row("run B-SUB-P (hunet node run --protocol bsubp)", found.bsubp));
  rows.push(row("follow secret topics instead (secret: and a phrase you agreed on)", found.secret));
  return rows;
}

// ---------------------------------------------------------------- health

export async function health() {
  const [now, settings] = await Promise.all([get("/v1/status"), get("/v1/settings")]);
  const reasons = counts => Object.entries(counts).map(([why, number]) => `${why}: ${number}`).join("; ") || "none";
  const clock = Math.abs(now.clock) < 60
    ? "agrees with this device's time"
    : `${span(Math.abs(now.clock))} ${now.clock > 0 ? "ahead of" : "behind"} this device's time: harmless, ages count, not times`;
  const discovery = now.paused ? "off while paused"
    : now.beacons === null ? "no beacons: this network refuses them; give addresses with --peer, or ask hunet node doctor"
      : `on; ${count(now.beacons.heard, "beacon")} of this network heard, ${now.beacons.foreign.toLocaleString("en")} of others`;
  $("health").replaceChildren(
    card("How the node is", figures([
      ["Network", now.network], ["This device", now.name], ["You write as", now.author_name],
      ["Running for", span(now.seconds)], ["Clock", clock], ["Discovery", discovery],
      ["Callers refused", reasons(now.refused)], ["Could not be reached", reasons(now.unreached)],
      ["Contacts that broke", reasons(now.ended)], ["Versions", now.version_trouble ?? "no trouble"],
      ["Got so far", count(now.delivered, "message")], ["hunet", now.hunet],
    ])),
    rules(settings),
    card("Pause", el("p", {}, "While paused, this device meets nobody and announces nothing. Messages wait."),
      el("button", { type: "button", onclick: () => setPaused(!now.paused) }, now.paused ? "Go on" : "Pause")),
    card("Wipe", el("p", {}, "Remove everything that hunet keeps on this device."),
      el("button.danger", { type: "button", onclick: () => wipe(now.network) }, "Wipe …")));
}

const chosen = one => `${one.protocol}: ${Object.entries(one.changed).map(([name, value]) => `${name} = ${value}`).join(", ") || "its defaults"}`;

// What all devices of the network run alike: now, next, before; and who decided on it.
function rules(settings) {
  const now = settings.now;
  const rest = Object.entries(now.settings).filter(([name]) => !(name in now.changed)).map(([name, value]) => `${name} = ${value}`);
  const by = {
    holder: "sent by whoever holds the network's settings key",
    person: settings.pinned ? "you, when you started this node" : "you: this device went back to it",
    default: "nobody: it is what hunet begins with",
  }[now.chosen_by];
  const lines = [
    ["Runs now", chosen(now)], ["Other settings", rest.join(", ") || "nothing else to set"],
    ["Since", now.for === null ? "the beginning" : ago(now.for)], ["Decided by", by],
    ["Runs next", settings.next ? `${chosen(settings.next)}, in ${span(settings.next.in)}` : "nothing else is planned"],
    ["Ran before", settings.previous ? chosen(settings.previous) : "nothing else"],
  ];
  if (settings.refused) lines.push(["Sent, not taken over", settings.refused]);
  return card("Settings", figures(lines),
    el("p.soft.small", {}, "Devices of a network understand each other only if they run the same. ",
      settings.next || settings.previous ? "To go back: " : "To look from a terminal: ",
      el("code", {}, settings.next || settings.previous ? "hunet node settings back" : "hunet node settings")));
}

export async function setPaused(paused) {
  await post("/v1/pause", { paused });
  say(paused ? "Paused. This device meets nobody." : "Going on.");
}

function wipe(network) {
  $("wipe-name").value = "";
  $("wipe-yes").disabled = true;
  $("wipe-name").oninput = () => { $("wipe-yes").disabled = $("wipe-name").value !== network; };
  $("wipe-yes").onclick = async () => {
    $("wipe").close();
    await post("/v1/wipe", { network });
    say("Everything is removed, and the node has stopped.");
  };
  $("wipe").showModal();
}
