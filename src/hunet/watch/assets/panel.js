// The panel: choosing a message, a tag or a node, and all that is known of it now. Names of the data are always text.

function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function svg(name, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const MOST_LISTED = 16;

function roomInside(box) {
  const style = getComputedStyle(box);
  return box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
}

function makePanel(story, clock, picked, pick, stages) {
  const about = document.getElementById("about");
  const nodeName = (node) => (node < 0 ? "(not shown)" : isolated(visible(story.nodes[node])));
  const tagName = (tag) => isolated(visible(story.tags[tag]));
  const chip = (words, action) => el("button", { type: "button", class: "chip", onclick: action }, words);
  const nodeChip = (node) => chip(nodeName(node), () => pick("node", node));
  const tagChip = (tag) => chip(tagName(tag), () => pick("tag", tag));
  const messageChip = (m, more = "") => chip(`${isolated(visible(story.messages.name(m)))}${more}`, () => pick("message", m));
  const chips = (...made) => el("p", { class: "chips" }, ...made);
  const fact = (name, ...value) => el("div", { class: "fact" }, el("dt", {}, name), el("dd", {}, ...value));
  let updates = [];
  let touched = false; // what is under a finger stays as it is until the finger is gone
  about.addEventListener("pointerdown", () => (touched = true));
  for (const name of ["click", "pointercancel"]) addEventListener(name, () => (touched = false), true);

  function show() {
    updates = [];
    const parts = [];
    if (picked.message >= 0) parts.push(...messagePart(picked.message));
    else if (picked.tag >= 0) parts.push(tagPart(picked.tag));
    // What was picked last stands first.
    if (picked.node >= 0) parts[picked.last === "node" ? "unshift" : "push"](nodePart(picked.node));
    if (!parts.length) parts.push(welcome());
    about.replaceChildren(...parts);
    update();
  }

  function update() {
    if (!touched) updates.forEach((one) => one(clock.t));
  }

  // A part that is written anew when what it says has changed.
  function living(write) {
    const box = el("div");
    let said = null;
    updates.push((t) => {
      if (box.contains(document.activeElement)) return; // nor is the focus of a keyboard taken away
      const made = write(t);
      const key = made.map((one) => one.outerHTML).join("");
      if (key !== said) box.replaceChildren(...made);
      said = key;
    });
    return box;
  }

  function heading(words, kind) {
    const close = el("button", { type: "button", class: "close", "aria-label": `pick no ${kind}`, onclick: () => pick(kind, -1) }, "×");
    return el("h2", {}, el("span", {}, words), close);
  }

  function welcome() {
    const lines = [el("h2", {}, "What you see")];
    lines.push(el("p", {}, "Every dot is a person with a device. A line lights up while two of them are near each other."));
    if (story.plays.length) {
      lines.push(el("p", {}, "Small dots that travel along lines are messages that one hands to the other; diamonds are messages that reach somebody who wanted them."));
      lines.push(el("p", {}, "Pick a message above to see how it spreads: who has it, who wanted it and got it, who still waits."));
      lines.push(el("button", { type: "button", class: "main", id: "example", onclick: example }, "Show me a message"));
    } else lines.push(el("p", {}, "Press play, or drag along the bars below: they say how many contacts begin when. Tap a dot to see whom it meets."));
    lines.push(living(() => {
      const { lit } = stages[0];
      const together = new Set(lit.flat()).size;
      return [el("dl", { class: "totals" }, fact("just now", `${counted(lit.length, "pair")} near each other`), fact("", `${shownNumber(together)} of ${shownNumber(story.count)} people have company`))];
    }));
    for (const play of story.plays) {
      const details = Object.entries(play.details).filter(([, value]) => value !== "");
      if (details.length) lines.push(el("details", {}, el("summary", {}, `how ${play.title} was run`), el("dl", {}, ...details.map(([name, value]) => fact(name, value)))));
    }
    return el("section", {}, ...lines);
  }

  // The message that reached most of those who wanted it, through the most hands: played from its beginning.
  function example() {
    const score = new Map();
    const { kind, message } = story.plays[0];
    kind.forEach((one, row) => {
      if (one <= DELIVERY) score.set(message[row], (score.get(message[row]) ?? 0) + (one === DELIVERY ? 3 : 1));
    });
    const best = [...score].sort((one, two) => two[1] - one[1] || one[0] - two[0])[0];
    if (!best) return;
    pick("message", best[0]);
    const hops = story.plays[0].hops(best[0]);
    const begin = story.messages.created[best[0]];
    clock.paceFor(hops.at(-1).at - begin, 25);
    clock.seek(begin);
    clock.play(true);
  }

  function messagePart(m) {
    const { messages } = story;
    const facts = el("dl", {},
      fact(messages.tags(m).length > 1 ? "tags" : "tag", chips(...[...messages.tags(m)].map(tagChip))),
      fact("by", chips(nodeChip(messages.source[m]))),
      fact("published", shownTime(story.moment(messages.created[m]))),
      fact("lives", messages.expires[m] > story.end ? "beyond the end" : shownSpan(story.seconds(messages.expires[m] - messages.created[m]))),
      fact("size", shownBytes(messages.size[m])));
    const parts = [el("section", {}, heading(`Message ${isolated(visible(messages.name(m)))}`, "message"), facts)];
    story.plays.forEach((play, i) => {
      const box = el("div", { class: "box", tabindex: "0" });
      const tree = drawTree(story, play, m, Math.max(220, roomInside(about) - 2), pick);
      box.append(tree.picture);
      updates.push(tree.update);
      const title = story.plays.length > 1 ? `Its way with ${play.title}` : "Its way from hand to hand";
      parts.push(el("section", { class: "way", "data-play": String(i) }, el("h3", {}, title), living((t) => [el("p", { class: "soft" }, wayWords(play, m, t))]), box));
    });
    return parts;
  }

  function wayWords(play, m, t) {
    const { messages } = story;
    if (t < messages.created[m]) return "Not published yet.";
    const state = play.spread(m, t);
    const got = state.filter((one) => one === GOT).length, waits = state.filter((one) => one === WAITS).length;
    const copies = t >= messages.expires[m] ? "It has expired." : `${counted(state.copies, "copy is", "copies are")} carried now.`;
    return story.interestsKnown ? `${got} of ${got + waits} who want it have got it. ${copies}` : `${got} who wanted it have got it. ${copies}`;
  }

  function tagPart(tag) {
    const { messages } = story;
    const all = messages.byTag[tag];
    return el("section", {}, heading(`Tag ${tagName(tag)}`, "tag"), living((t) => {
      const born = all.filter((m) => messages.created[m] <= t);
      const fans = [...messages.fansOf(tag, t)].sort((one, two) => one - two);
      const facts = [fact("published so far", `${shownNumber(born.length)} of ${shownNumber(all.length)}`)];
      if (story.interestsKnown) facts.push(fact(`wanted by ${fans.length}`, chips(...fans.slice(0, MOST_LISTED).map(nodeChip), ...more(fans.length))));
      story.plays.forEach((play) => {
        const { got, wanted } = play.spreadOfTag(tag, t);
        const sum = (values) => values.reduce((one, two) => one + two, 0);
        facts.push(fact(story.plays.length > 1 ? play.title : "delivered", meter(sum(got), sum(wanted))));
      });
      const latest = born.slice(-MOST_LISTED).reverse();
      if (latest.length) facts.push(fact("newest", chips(...latest.map((m) => messageChip(m)))));
      return [el("dl", {}, ...facts)];
    }));
  }

  const more = (count) => (count > MOST_LISTED ? [el("span", { class: "soft" }, `and ${shownNumber(count - MOST_LISTED)} more`)] : []);

  function meter(value, most, words = `${shownNumber(value)} of ${shownNumber(most)}`) {
    const bar = el("span", { class: "meter" });
    bar.append(el("span", { style: `width: ${most ? (100 * value) / most : 0}%` }));
    return el("span", { class: "metered" }, bar, el("span", {}, words));
  }

  function nodePart(node) {
    const group = story.group[node];
    const belongs = group < 0 ? (story.grouping === "class" ? "none" : "no community") : isolated(visible(story.groups[group]));
    return el("section", {}, heading(nodeName(node), "node"), living((t) => {
      const met = company(story, node, t);
      const facts = [fact(story.grouping, belongs)];
      facts.push(fact("with", met.now.length ? chips(...met.now.slice(0, MOST_LISTED).map(nodeChip)) : "nobody just now"));
      facts.push(fact("met so far", `${counted(met.people, "person", "people")} in ${counted(met.contacts, "contact")}`));
      if (met.most.length) {
        const most = met.most[0][1];
        facts.push(fact("most often", ...met.most.slice(0, 5).map(([other, times]) => el("div", { class: "often" }, nodeChip(other), meter(times, most, shownNumber(times))))));
      }
      if (story.plays.length) facts.push(...nodeFacts(node, t));
      return [el("dl", {}, ...facts)];
    }));
  }

  function nodeFacts(node, t) {
    const { messages } = story;
    const facts = [];
    const wishes = messages.wishesOf(node, t);
    if (story.interestsKnown) facts.push(fact("wants", wishes.length ? chips(...wishes.slice(0, MOST_LISTED).map(tagChip), ...more(wishes.length)) : "nothing"));
    for (const play of story.plays) {
      const run = story.plays.length > 1 ? ` (${play.title})` : "";
      const broker = play.isBroker(node, t);
      if (broker !== null) facts.push(fact(`role${run}`, broker ? "broker: carries for others" : "user"));
      const held = play.buffer(node, t);
      const listed = held.slice(-MOST_LISTED).reverse();
      facts.push(fact(`carries${run}`, counted(held.length, "message"), chips(...listed.map((m) => messageChip(m)), ...more(held.length))));
      const heard = play.heard(node, t);
      if (heard) facts.push(fact(`its filter${run}`, ...heardWords(node, heard, t)));
    }
    return facts;
  }

  // What the node believes of others, and whether anybody else wants it in truth.
  function heardWords(node, heard, t) {
    const strongest = heard.tags.reduce((most, one) => Math.max(most, one.strength), 1);
    const when = el("p", { class: "soft" }, heard.tags.length
      ? `At ${shownTime(story.moment(heard.when), false)} it said that somebody it may meet wants:`
      : `At ${shownTime(story.moment(heard.when), false)} it knew of nobody else's interests.`);
    return [when, ...heard.tags.slice(0, 12).map(({ tag, strength }) => {
      const others = [...story.messages.fansOf(tag, t)].filter((one) => one !== node).length;
      const truth = others ? `${strength}` : `${strength}, but nobody does`;
      return el("div", { class: "often" }, tagChip(tag), meter(strength, strongest, truth));
    }), ...(heard.tags.length > 12 ? [el("span", { class: "soft" }, `and ${heard.tags.length - 12} more tags`)] : [])];
  }

  return { show, update, example };
}
