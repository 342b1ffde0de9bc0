// The stage: who is where, who meets whom, what is handed over. One canvas per run.

const MOST_TRAVELLERS = 250; // hand-overs drawn at once: with more nobody could follow one
const MOST_FADING = 300; // contacts that are over and still to be seen
const REACH = 24; // pixels within which a tap means a node

// Contacts that are going on, or ended within the trail. Going forward it looks at what begins; going back it begins anew.
function makeLinks(story) {
  const { start, lasts } = story.contacts;
  let open = [];
  let next = 0;
  let last = -1;
  return (t, trail) => {
    if (t < last) {
      open = [];
      next = 0;
    }
    last = t;
    const until = countUpTo(start, t);
    for (; next < until; next++) if (start[next] + lasts[next] >= t - trail) open.push(next);
    open = open.filter((row) => start[row] + lasts[row] >= t - trail);
    return open;
  };
}

function makeStage(story, clock, picked, play, canvas, colours) {
  const c = canvas.getContext("2d");
  const links = makeLinks(story);
  const places = new Float64Array(2 * story.count);
  const stage = { canvas, play, hover: -1, width: 0, height: 0, states: null, lit: [] };
  const backbone = document.createElement("canvas");
  const stamp = makeStamps();
  let radius = 5;

  stage.resize = () => {
    const scale = window.devicePixelRatio || 1;
    stage.width = Math.max(50, canvas.clientWidth);
    stage.height = Math.max(50, canvas.clientHeight);
    canvas.width = Math.round(stage.width * scale);
    canvas.height = Math.round(stage.height * scale);
    c.setTransform(scale, 0, 0, scale, 0, 0);
    radius = Math.max(3, Math.min(9, 0.16 * Math.sqrt((stage.width * stage.height) / story.count)));
  };

  // Metres keep their shape; a layout fills what room there is.
  function fit() {
    const margin = 22;
    const width = stage.width - 2 * margin, height = stage.height - 2 * margin - 14;
    const { metres } = story.place;
    if (!metres) return { toX: (x) => margin + x * width, toY: (y) => margin + y * height, scale: 0 };
    const scale = Math.min(width / Math.max(1, metres.width), height / Math.max(1, metres.height));
    const left = margin + (width - scale * metres.width) / 2, low = margin + (height + scale * metres.height) / 2;
    return { toX: (x) => left + x * scale, toY: (y) => low - y * scale, scale };
  }

  function placeNodes(t) {
    const { toX, toY, scale } = fit();
    for (let node = 0; node < story.count; node++) {
      const at = story.place.at(node, t);
      places[2 * node] = at ? toX(at[0]) : NaN;
      places[2 * node + 1] = at ? toY(at[1]) : NaN;
    }
    return scale;
  }

  function drawGrid(scale) {
    const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000];
    const step = steps.find((one) => one * scale >= 60) ?? steps.at(-1);
    const { toX, toY } = fit();
    const { metres } = story.place;
    c.strokeStyle = colours.now.line;
    c.lineWidth = 1;
    c.beginPath();
    for (let x = 0; x <= metres.width + step; x += step) {
      c.moveTo(toX(x), toY(0));
      c.lineTo(toX(x), toY(Math.ceil(metres.height / step) * step));
    }
    for (let y = 0; y <= metres.height + step; y += step) {
      c.moveTo(toX(0), toY(y));
      c.lineTo(toX(Math.ceil(metres.width / step) * step), toY(y));
    }
    c.stroke();
    c.fillStyle = colours.now.soft;
    c.font = "12px system-ui, sans-serif";
    c.textAlign = "left";
    c.fillText(`one square: ${step >= 1000 ? `${step / 1000} km` : `${step} m`}`, 10, 18);
  }

  // Each line is stroked by itself: a path of many that cross each other takes browsers far longer.
  function line(from, to) {
    c.beginPath();
    c.moveTo(places[2 * from], places[2 * from + 1]);
    c.lineTo(places[2 * to], places[2 * to + 1]);
    c.stroke();
  }

  // Who is close to whom. It stays as it is while the size does, so it is drawn once and copied from then on.
  function drawBackbone() {
    const made = `${canvas.width} ${canvas.height} ${colours.now.line}`;
    if (backbone.made !== made) {
      backbone.made = made;
      [backbone.width, backbone.height] = [canvas.width, canvas.height];
      const b = backbone.getContext("2d");
      b.setTransform(c.getTransform());
      b.globalAlpha = 0.75;
      b.strokeStyle = colours.now.line;
      story.close.a.forEach((one, i) => {
        const other = story.close.b[i];
        b.beginPath();
        b.moveTo(places[2 * one], places[2 * one + 1]);
        b.lineTo(places[2 * other], places[2 * other + 1]);
        b.stroke();
      });
    }
    c.drawImage(backbone, 0, 0, stage.width, stage.height);
  }

  // In four strengths: those that go on, and those that fade.
  function drawLinks(t, trail) {
    const { a, b, start, lasts } = story.contacts;
    const strengths = [[], [], [], []];
    let fading = 0;
    const open = links(t, trail);
    for (let i = open.length - 1; i >= 0; i--) {
      const row = open[i];
      const age = t - start[row] - lasts[row];
      if (age <= 0) strengths[3].push(row);
      else if (fading++ < MOST_FADING) strengths[Math.max(0, 2 - Math.floor((3 * age) / trail))].push(row);
    }
    strengths.forEach((rows, strength) => {
      if (!rows.length) return;
      c.globalAlpha = [0.12, 0.25, 0.45, 0.85][strength];
      c.strokeStyle = colours.now.link;
      c.lineWidth = strength === 3 ? 1.8 : 1.2;
      for (const row of rows) line(a[row], b[row]);
    });
    c.globalAlpha = 1;
    stage.lit = strengths[3].map((row) => [a[row], b[row]]);
    if (picked.node < 0) return;
    c.strokeStyle = colours.now.ink;
    c.lineWidth = 2.6;
    for (const row of strengths[3]) if (a[row] === picked.node || b[row] === picked.node) line(a[row], b[row]);
  }

  // Messages on their way: a dot from the giver to the taker, in the colour of a delivery where it was wanted.
  function drawTravellers(t, trail) {
    const end = countUpTo(play.at, t);
    const begin = Math.max(countUpTo(play.at, t - trail), end - MOST_TRAVELLERS);
    for (const delivered of [false, true]) {
      c.strokeStyle = c.fillStyle = delivered ? colours.now.got : colours.now.sent;
      for (let row = begin; row < end; row++) {
        if (play.kind[row] !== (delivered ? DELIVERY : FORWARD) || play.from[row] < 0) continue;
        const concerned = picked.message < 0 || play.message[row] === picked.message;
        const ofTag = picked.tag < 0 || story.messages.tags(play.message[row]).includes(picked.tag);
        if (!concerned || !ofTag) continue;
        const share = trail ? Math.min(1, (t - play.at[row]) / trail) : 1;
        const [from, to] = [play.from[row], play.to[row]];
        c.globalAlpha = 1 - share;
        c.lineWidth = delivered ? 2.6 : 2;
        line(from, to);
        c.globalAlpha = Math.min(1, 1.4 - share);
        const x = places[2 * from] + share * (places[2 * to] - places[2 * from]);
        const y = places[2 * from + 1] + share * (places[2 * to + 1] - places[2 * from + 1]);
        c.beginPath();
        if (delivered) polygon(c, x, y, 5, 4, 0);
        else c.arc(x, y, 3, 0, 7);
        c.fill();
      }
    }
    c.globalAlpha = 1;
  }

  // The way that the picked message took so far.
  function drawWay(t) {
    c.globalAlpha = 0.7;
    c.lineWidth = 1.6;
    for (const wanted of [false, true]) {
      c.strokeStyle = wanted ? colours.now.got : colours.now.carry;
      for (const hop of play.hops(picked.message)) {
        if (hop.parent && hop.giver >= 0 && hop.at <= t && hop.wanted === wanted) line(hop.giver, hop.node);
      }
    }
    c.globalAlpha = 1;
  }

  function drawMessage(t) {
    stage.states = play.spread(picked.message, t);
    const order = [NOTHING, EXPIRED, LET_GO, DROPPED, CARRIES, WAITS, GOT, SOURCE];
    for (const wanted of order) {
      stage.states.forEach((state, node) => {
        if (state !== wanted) return;
        const [x, y] = [places[2 * node], places[2 * node + 1]];
        if (state === NOTHING) stamp(c, "disc", x, y, radius * 0.6, colours.now.others, colours.now.paper);
        else stamp(c, STATES[state].shape, x, y, radius * 1.1, colours.now[STATES[state].colour], colours.now.paper);
      });
    }
  }

  // Who wants the tag is a ring that fills up with what it got; others who carry something of it are discs.
  function drawTag(t) {
    const found = play.spreadOfTag(picked.tag, t);
    const fans = story.messages.fansOf(picked.tag, t);
    stage.states = found;
    for (let node = 0; node < story.count; node++) {
      const [x, y] = [places[2 * node], places[2 * node + 1]];
      if (fans.has(node) || found.wanted[node]) {
        const share = found.wanted[node] ? found.got[node] / found.wanted[node] : 0;
        stamp(c, "ring", x, y, radius * 1.25, colours.now.wait, colours.now.paper);
        if (share > 0) {
          c.beginPath();
          c.moveTo(x, y);
          c.arc(x, y, radius * 1.25, -Math.PI / 2, -Math.PI / 2 + share * 2 * Math.PI);
          c.closePath();
          c.fillStyle = colours.now.got;
          c.fill();
        }
      } else if (found.carried[node]) {
        const size = radius * Math.min(1.6, 0.6 + 0.25 * Math.round(Math.log2(1 + found.carried[node])));
        stamp(c, "disc", x, y, size, colours.now.carry, colours.now.paper);
      } else stamp(c, "disc", x, y, radius * 0.6, colours.now.others, colours.now.paper);
    }
  }

  function drawGroups(t) {
    stage.states = null;
    for (let node = 0; node < story.count; node++) {
      const colour = groupColour(colours.now, story.group[node]);
      stamp(c, "disc", places[2 * node], places[2 * node + 1], radius, colour, colours.now.paper);
    }
  }

  function drawLabel(node, strong) {
    const [x, y] = [places[2 * node], places[2 * node + 1]];
    if (Number.isNaN(x)) return;
    if (strong) {
      c.beginPath();
      c.arc(x, y, radius * 1.9, 0, 7);
      c.lineWidth = 2;
      c.strokeStyle = colours.now.ink;
      c.stroke();
    }
    c.font = `${strong ? "600 13px" : "11px"} system-ui, sans-serif`;
    c.textAlign = x > stage.width - 90 ? "right" : x < 90 ? "left" : "center";
    c.lineJoin = "round";
    c.lineWidth = 3.5;
    c.strokeStyle = colours.now.paper;
    const text = isolated(visible(story.nodes[node]));
    const below = y + radius * 1.9 + 12 < stage.height - 4 ? y + radius * 1.9 + 11 : y - radius * 1.9 - 5;
    c.strokeText(text, x, below, 200);
    c.fillStyle = strong ? colours.now.ink : colours.now.soft;
    c.fillText(text, x, below, 200);
  }

  stage.draw = () => {
    const { t, trail } = clock;
    c.clearRect(0, 0, stage.width, stage.height);
    const scale = placeNodes(t);
    if (scale) drawGrid(scale);
    else drawBackbone();
    drawLinks(t, trail);
    if (play && picked.message >= 0) drawWay(t);
    if (play) drawTravellers(t, trail);
    if (play && picked.message >= 0) drawMessage(t);
    else if (play && picked.tag >= 0) drawTag(t);
    else drawGroups(t);
    // Where people move about, names would hide each other.
    if (story.count <= (story.place.metres ? 20 : 45) && stage.width > 500) {
      for (let node = 0; node < story.count; node++) if (node !== picked.node && node !== stage.hover) drawLabel(node, false);
    }
    if (stage.hover >= 0 && stage.hover !== picked.node) drawLabel(stage.hover, true);
    if (picked.node >= 0) drawLabel(picked.node, true);
  };

  stage.nodeAt = (x, y) => {
    let best = -1;
    let distance = REACH;
    for (let node = 0; node < story.count; node++) {
      const d = Math.hypot(places[2 * node] - x, places[2 * node + 1] - y);
      if (d < distance) [best, distance] = [node, d];
    }
    return best;
  };
  stage.placeOf = (node) => [places[2 * node], places[2 * node + 1]];
  return stage;
}
