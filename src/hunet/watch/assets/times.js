// Times, lengths of time and amounts as people read them.

const UNIX_FROM = 5e8; // seconds from here on are dates: 1985, or 16 years in a trace that begins at 0
const DAY = 86400;

function shownTime(seconds, withSeconds = true) {
  const length = withSeconds ? 19 : 16;
  if (seconds >= UNIX_FROM) {
    const date = new Date(seconds * 1000);
    const day = date.toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
    return `${day}, ${date.toISOString().slice(11, length)}`;
  }
  const day = Math.floor(seconds / DAY);
  const time = new Date((seconds - day * DAY) * 1000).toISOString().slice(11, length);
  return `day ${day + 1}, ${time}`;
}

function shownSpan(seconds) {
  const units = [["d", DAY], ["h", 3600], ["min", 60], ["s", 1]];
  const place = Math.max(0, units.findIndex(([, size]) => seconds >= size));
  if (seconds < 1) return "0 s";
  const [unit, size] = units[place];
  const whole = Math.floor(seconds / size);
  if (place === units.length - 1) return `${whole} s`;
  const [small, smallSize] = units[place + 1];
  const rest = Math.floor((seconds - whole * size) / smallSize);
  return rest ? `${whole} ${unit} ${rest} ${small}` : `${whole} ${unit}`;
}

const shownNumber = (value) => Math.round(value).toLocaleString("en-US");

const counted = (count, one, several = `${one}s`) => `${shownNumber(count)} ${count === 1 ? one : several}`;

function shownBytes(bytes) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const place = Math.min(units.length - 1, bytes >= 1000 ? Math.floor(Math.log10(bytes) / 3) : 0);
  const value = bytes / 1000 ** place;
  return `${place && value < 100 ? value.toFixed(1) : Math.round(value)} ${units[place]}`;
}

// Names may have letters that turn the direction of what follows; between these two marks they turn themselves only.
const isolated = (name) => `\u2068${name}\u2069`;

// What cannot be seen is shown, and a very long name is cut.
function visible(name) {
  const text = name.replace(/[\u0000-\u001f\u007f]/g, "\ufffd").trim() || "(no name)";
  return text.length > 60 ? `${text.slice(0, 58)}\u2026` : text;
}
