// What is shown when: one view at a time, kept up to date by what the node says.

import { get, hasToken, listen, Refused } from "/door.js";
import { arrived, loadInterests, loadMessages, refreshAges, refreshTaken, show } from "/messages.js";
import { $, count, say } from "/parts.js";
import { carried, health, leak, people, setPaused } from "/views.js";

const VIEWS = { messages: null, people, carried, leak, health };
const STALE = { peers: ["people"], carried: ["carried"], interests: ["leak"], status: ["health"], settings: ["health"] };
let view = "messages";
let alive = true;
let status = null;

async function open(name) {
  view = name;
  for (const one of Object.keys(VIEWS)) $(one).hidden = one !== name;
  for (const button of $("views").children) {
    if (button.dataset.view === name) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  show(name === "messages");
  await VIEWS[name]?.();
}

async function drawState() {
  if (alive) status = await get("/v1/status");
  $("network").textContent = status.network;
  $("me").textContent = `You write as ${status.author_name}; this device is ${status.name}`;
  const [is, words] = !alive ? ["gone", "The node does not answer"]
    : status.paused ? ["paused", "Paused"]
      : status.peers ? ["met", `${count(status.peers, "device")} near`] : ["alone", "Nobody near"];
  $("near").dataset.is = is;
  $("near").textContent = words;
  $("pause").hidden = !alive;
  $("pause").textContent = status.paused ? "Go on" : "Pause";
}

async function changed(what) {
  await drawState();
  if (what.includes("interests")) await loadInterests();
  if (what.includes("carried")) await refreshTaken();
  if (what.some(one => STALE[one]?.includes(view)) || (view === "health" && what.length)) await VIEWS[view]?.();
}

function close(why) {
  $("why").textContent = why;
  $("closed").hidden = false;
  $("views").hidden = true;
  for (const one of Object.keys(VIEWS)) $(one).hidden = true;
}

async function start() {
  if (!hasToken) return close("This address alone does not open the page.");
  try {
    await drawState();
    await loadInterests();
    const cursor = await loadMessages();
    $("views").hidden = false;
    await open("messages");
    setInterval(refreshAges, 30_000);
    await listen(cursor, {
      message: arrived,
      change: changed,
      alive: now => { if (now !== alive) { alive = now; drawState().catch(() => {}); } },
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    close(`The node says: ${error.message}.`);
  }
}

$("views").addEventListener("click", event => {
  const name = event.target.closest("[data-view]")?.dataset.view;
  if (name) open(name).catch(error => say(error.message));
});
$("pause").addEventListener("click", () => setPaused(!status.paused).then(drawState).catch(error => say(error.message)));
document.querySelector(".skip").addEventListener("click", event => { event.preventDefault(); $("main").focus(); });
addEventListener("hashchange", () => location.reload());

start();
