// What stands along time: contacts per hour, by which one moves the clock, and the curves of each run.

const CURVES = [
  { name: "delivered", title: "delivered", words: (now) => `${shownNumber(now.delivered)} of ${shownNumber(now.wanted)} wanted` },
  { name: "copies", title: "copies held", words: (now) => shownNumber(now.copies) },
  { name: "sent", title: "sent", words: (now) => shownBytes(now.sent) },
];

function prepareCanvas(canvas) {
  const scale = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  const c = canvas.getContext("2d");
  c.setTransform(scale, 0, 0, scale, 0, 0);
  c.clearRect(0, 0, width, height);
  return { c, width, height };
}

const valueAt = (curve, story, t) => curve[Math.min(curve.length - 1, Math.floor((t / story.end) * (curve.length - 1) + 1e-9))];

function curvesNow(play, story, t) {
  return Object.fromEntries(Object.entries(play.curves).map(([name, curve]) => [name, valueAt(curve, story, t)]));
}

// Dragging on a canvas moves the clock; so do arrow keys, for a slider.
function makeDraggable(canvas, story, clock) {
  const toTime = (event) => {
    const box = canvas.getBoundingClientRect();
    clock.seek(((event.clientX - box.left) / box.width) * story.end);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    toTime(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) toTime(event);
  });
}

function makeScrubber(canvas, story, clock, colours, picked) {
  makeDraggable(canvas, story, clock);
  const { values, begin, width: seconds } = story.bars;
  const most = values.reduce((one, two) => Math.max(one, two), 1);
  canvas.setAttribute("aria-valuemin", "0");
  canvas.setAttribute("aria-valuemax", String(Math.round(story.seconds(story.end))));
  return () => {
    const { c, width, height } = prepareCanvas(canvas);
    const total = story.seconds(story.end);
    const low = height - 16;
    const toX = (time) => (time / total) * width;
    values.forEach((value, i) => {
      const x = toX(begin + i * seconds), next = toX(begin + (i + 1) * seconds);
      const bar = (value / most) * (low - 6);
      c.fillStyle = story.seconds(clock.t) >= begin + i * seconds ? colours.now.first : colours.now.others;
      c.globalAlpha = story.seconds(clock.t) >= begin + i * seconds ? 0.75 : 0.4;
      c.fillRect(x, low - bar, Math.max(0.8, next - x - (next - x > 3 ? 1 : 0)), bar);
    });
    c.globalAlpha = 1;
    if (picked.message >= 0) drawLife(c, toX, low);
    drawAxis(c, width, low);
    drawHead(c, toX(story.seconds(clock.t)), low, true);
    canvas.setAttribute("aria-valuenow", String(Math.round(story.seconds(clock.t))));
    canvas.setAttribute("aria-valuetext", shownTime(story.moment(clock.t)));
  };

  function drawLife(c, toX, low) {
    const { created, expires } = story.messages;
    const from = toX(story.seconds(created[picked.message]));
    const until = toX(story.seconds(Math.min(story.end, expires[picked.message])));
    c.fillStyle = colours.now.wait;
    c.fillRect(from, low - 3, Math.max(2, until - from), 3);
  }

  function drawAxis(c, width, low) {
    const total = story.seconds(story.end), first = story.clock.begin;
    const steps = [60, 300, 600, 1800, 3600, 10800, 21600, 43200, DAY, 2 * DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY];
    const step = steps.find((one) => (one / total) * width >= 74) ?? steps.at(-1);
    c.fillStyle = colours.now.soft;
    c.font = "11px system-ui, sans-serif";
    c.textAlign = "center";
    for (let at = Math.ceil(first / step) * step; at <= first + total; at += step) {
      const x = ((at - first) / total) * width;
      if (x < 24 || x > width - 28) continue;
      const whole = shownTime(at, false);
      const midnight = at % DAY === 0;
      c.fillText(step >= DAY || midnight ? whole.split(",").slice(0, -1).join("").replace(/ \d{4}$/, "") : whole.slice(-5), x, low + 13);
    }
  }

  function drawHead(c, x, low) {
    c.fillStyle = colours.now.ink;
    c.fillRect(x - 1, 0, 2, low);
    c.beginPath();
    c.arc(Math.min(Math.max(x, 6), c.canvas.clientWidth - 6), 6, 6, 0, 7);
    c.fill();
  }
}

// One small chart of all runs.
function makeChart(canvas, label, story, clock, colours, what) {
  makeDraggable(canvas, story, clock);
  const most = Math.max(1, ...story.plays.map((play) => play.curves[what.name].reduce((one, two) => Math.max(one, two), 0)));
  return () => {
    const { c, width, height } = prepareCanvas(canvas);
    const low = height - 3;
    story.plays.forEach((play, i) => {
      const curve = play.curves[what.name];
      const toX = (k) => (k / (curve.length - 1)) * width;
      const toY = (value) => low - (value / most) * (low - 5);
      const upTo = Math.floor((clock.t / story.end) * (curve.length - 1) + 1e-9);
      const colour = i ? colours.now.second : colours.now.first;
      const step = Math.max(1, Math.floor(curve.length / width)); // one point per pixel is enough
      const trace = (end) => {
        c.beginPath();
        for (let k = 0; k < end; k += step) c[k ? "lineTo" : "moveTo"](toX(k), toY(curve[k]));
        c.lineTo(toX(end), toY(curve[end]));
      };
      c.strokeStyle = colour;
      c.setLineDash(i ? [5, 4] : []);
      c.globalAlpha = 0.4;
      c.lineWidth = 1.2;
      trace(curve.length - 1);
      c.stroke();
      c.globalAlpha = 1;
      c.lineWidth = 2;
      trace(upTo);
      c.stroke();
      c.setLineDash([]);
      drawShape(c, i ? "diamond" : "disc", toX(upTo), toY(curve[upTo]), 3.4, colour, colours.now.paper);
    });
    c.fillStyle = colours.now.line;
    c.fillRect(0, low + 1, width, 1);
    const words = story.plays.map((play) => what.words(curvesNow(play, story, clock.t)));
    label.replaceChildren(el("b", {}, what.title), ...words.map((one, i) => el("span", { class: i ? "second" : "first" }, one)));
  };
}
