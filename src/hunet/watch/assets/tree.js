// How a message went from hand to hand, as a drawing: time goes to the right, every copy has a line of its own, from when
// it came until it was dropped, passed on or expired, and each hand-over leads from the giver's line down to the taker's.

const ROW = 21;
const LEFT = 12;

function drawTree(story, play, m, width, pick) {
  const hops = play.hops(m);
  const rows = [];
  const visit = [hops[0]];
  while (visit.length) {
    const hop = visit.pop();
    hop.row = rows.push(hop) - 1;
    // The latest stands nearest to its giver: so no line crosses another.
    visit.push(...hop.children.slice().sort((one, two) => one.at - two.at));
  }
  const begin = hops[0].at;
  const lastHop = hops.reduce((latest, hop) => Math.max(latest, hop.at), begin);
  const over = Math.min(story.messages.expires[m], story.end);
  const end = Math.max(begin + 1, Math.min(over, lastHop + 0.12 * (lastHop - begin) + 1));
  const height = rows.length * ROW + 22;
  const toX = (t) => LEFT + ((Math.min(t, end) - begin) / (end - begin)) * (width - LEFT - 10);
  const toY = (hop) => hop.row * ROW + 16;
  const drawing = (past) => {
    const group = svg("g", { class: past ? "past" : "future" });
    for (const hop of rows) {
      const [x, y, until] = [toX(hop.at), toY(hop), toX(hop.until)];
      group.append(svg("path", { class: "life", d: `M${x} ${y}H${until}` }));
      if (hop.parent) group.append(svg("path", { class: hop.giver >= 0 ? (hop.wanted ? "hop wanted" : "hop") : "hop unknown", d: `M${x} ${toY(hop.parent)}V${y}` }));
      group.append(svg("path", { class: hop.parent ? (hop.wanted ? "mark wanted" : "mark") : "mark first", d: markAt(x, y, hop) }));
      if (hop.until < over) group.append(svg("path", { class: "gone", d: `M${until - 3} ${y - 3}l6 6m0 -6l-6 6` }));
      const late = x > width * 0.62;
      const name = svg("text", { x: late ? x - 8 : x + 7, y: y - 4, "text-anchor": late ? "end" : "start" });
      name.textContent = hop.node < 0 ? "(not shown)" : isolated(visible(story.nodes[hop.node]));
      if (hop.node >= 0) name.addEventListener("click", () => pick("node", hop.node));
      group.append(name);
    }
    return group;
  };
  const past = drawing(true);
  const clip = svg("clipPath", { id: `now${drawTree.count = (drawTree.count ?? 0) + 1}` });
  const shown = svg("rect", { x: 0, y: -10, width: 0, height: height + 20 });
  clip.append(shown);
  past.setAttribute("clip-path", `url(#${clip.id})`);
  const now = svg("path", { class: "now" });
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, class: "tree", role: "img" });
  picture.setAttribute("aria-label", `${hops.length - 1} hand-overs of message ${story.messages.name(m)}`);
  const axis = svg("text", { class: "axis", x: width - 4, y: height - 4, "text-anchor": "end" });
  axis.textContent = `${shownSpan(story.seconds(end - begin))} after it was published`;
  picture.append(clip, drawing(false), past, now, axis);
  const update = (t) => {
    const x = t < begin ? 0 : toX(t) + (t >= end ? 200 : 1);
    shown.setAttribute("width", String(x));
    now.setAttribute("d", t < begin || t > end ? "" : `M${toX(t)} 4V${height - 16}`);
  };
  return { picture, update };
}

function markAt(x, y, hop) {
  if (!hop.parent) return starPath(x, y, 7);
  return hop.wanted ? `M${x} ${y - 6}l6 6l-6 6l-6 -6z` : `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z`;
}

function starPath(x, y, r) {
  const corners = Array.from({ length: 10 }, (_, i) => {
    const angle = -Math.PI / 2 + (i / 10) * 2 * Math.PI;
    const reach = i % 2 ? r * 0.45 : r;
    return `${x + reach * Math.cos(angle)} ${y + reach * Math.sin(angle)}`;
  });
  return `M${corners.join("L")}z`;
}
