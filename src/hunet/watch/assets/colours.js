// Colours come from the style sheet, so that light and dark have their own; every state has a shape of its own as well.

const GROUP_COLOURS = 7;

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = ["ink", "soft", "paper", "ground", "line", "link", "sent", "carry", "got", "wait", "lost", "others", "first", "second"];
  const found = Object.fromEntries(names.map((name) => [name, get(name)]));
  found.groups = Array.from({ length: GROUP_COLOURS }, (_, i) => get(`group${i}`));
  return found;
}

const groupColour = (colours, group) => (group < 0 ? colours.others : colours.groups[group]);

// What can be said of a node and a message.
const NOTHING = 0, CARRIES = 1, GOT = 2, WAITS = 3, DROPPED = 4, LET_GO = 5, EXPIRED = 6, SOURCE = 7;

const STATES = {
  [SOURCE]: { words: "published it", shape: "star", colour: "carry" },
  [CARRIES]: { words: "carry it for others", shape: "disc", colour: "carry" },
  [GOT]: { words: "wanted it and got it", shape: "diamond", colour: "got" },
  [WAITS]: { words: "want it and wait", shape: "ring", colour: "wait" },
  [DROPPED]: { words: "dropped it", shape: "cross", colour: "lost" },
  [LET_GO]: { words: "passed it on, keep no copy", shape: "minus", colour: "lost" },
  [EXPIRED]: { words: "had it until it expired", shape: "square", colour: "lost" },
};

const SHAPES = {
  disc: (c, x, y, r) => c.arc(x, y, r, 0, 7),
  diamond: (c, x, y, r) => polygon(c, x, y, r * 1.35, 4, 0),
  square: (c, x, y, r) => c.rect(x - r * 0.75, y - r * 0.75, r * 1.5, r * 1.5),
  star: (c, x, y, r) => star(c, x, y, r * 1.6),
};

function polygon(c, x, y, r, corners, turn) {
  for (let i = 0; i < corners; i++) {
    const angle = turn + (i / corners) * 2 * Math.PI;
    c[i ? "lineTo" : "moveTo"](x + r * Math.cos(angle), y + r * Math.sin(angle));
  }
  c.closePath();
}

function star(c, x, y, r) {
  for (let i = 0; i < 10; i++) {
    const angle = -Math.PI / 2 + (i / 10) * 2 * Math.PI;
    const reach = i % 2 ? r * 0.45 : r;
    c[i ? "lineTo" : "moveTo"](x + reach * Math.cos(angle), y + reach * Math.sin(angle));
  }
  c.closePath();
}

// Draws a shape; those that are lines are stroked, the others filled with a rim in the colour of the paper.
function drawShape(c, shape, x, y, r, colour, rim) {
  c.beginPath();
  if (shape === "ring") {
    c.arc(x, y, r, 0, 7);
    c.fillStyle = rim;
    c.fill();
    c.lineWidth = Math.max(2, r * 0.45);
    c.strokeStyle = colour;
    c.stroke();
  } else if (shape === "cross" || shape === "minus") {
    const d = r * 0.8;
    c.moveTo(x - d, y - (shape === "cross" ? d : 0));
    c.lineTo(x + d, y + (shape === "cross" ? d : 0));
    if (shape === "cross") {
      c.moveTo(x - d, y + d);
      c.lineTo(x + d, y - d);
    }
    c.lineWidth = Math.max(2, r * 0.5);
    c.strokeStyle = colour;
    c.stroke();
  } else {
    SHAPES[shape](c, x, y, r);
    c.fillStyle = colour;
    c.fill();
    c.lineWidth = 1.2;
    c.strokeStyle = rim;
    c.stroke();
  }
}

// The same from a store of small pictures: hundreds of shapes in every frame are copied far sooner than drawn.
function makeStamps() {
  const made = new Map();
  return (c, shape, x, y, r, colour, rim) => {
    const scale = window.devicePixelRatio || 1;
    const key = `${shape} ${r} ${colour} ${rim} ${scale}`;
    const side = 2 * Math.ceil(1.7 * r + 2);
    if (!made.has(key)) {
      const picture = document.createElement("canvas");
      picture.width = picture.height = side * scale;
      const p = picture.getContext("2d");
      p.scale(scale, scale);
      drawShape(p, shape, side / 2, side / 2, r, colour, rim);
      made.set(key, picture);
    }
    c.drawImage(made.get(key), x - side / 2, y - side / 2, side, side);
  };
}

// A small picture of a shape, for legends.
function shapeIcon(shape, colour, rim) {
  const canvas = document.createElement("canvas");
  const scale = window.devicePixelRatio || 1;
  canvas.width = canvas.height = 18 * scale;
  canvas.className = "icon";
  canvas.setAttribute("aria-hidden", "true");
  const c = canvas.getContext("2d");
  c.scale(scale, scale);
  if (shape === "line" || shape === "travel") {
    c.strokeStyle = colour;
    c.lineWidth = 2;
    c.beginPath();
    c.moveTo(1, 9);
    c.lineTo(17, 9);
    c.stroke();
    if (shape === "travel") drawShape(c, "disc", 11, 9, 4, colour, rim);
  } else drawShape(c, shape, 9, 9, 5.2, colour, rim);
  return canvas;
}
