// The clock: where in time we are, whether it runs and how fast. Whoever shows time listens to it.

const SPEEDS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400, 7 * 86400]; // seconds per second
const WHOLE_PLAY = 75; // seconds in which everything has passed at the speed that is chosen first

function makeClock(story) {
  const tick = story.clock.tick;
  const wished = story.seconds(story.end) / WHOLE_PLAY;
  const nearest = (speed) => SPEEDS.reduce((best, one) => (Math.abs(Math.log(one / speed)) < Math.abs(Math.log(best / speed)) ? one : best));
  const listeners = [];
  const clock = {
    t: 0, // ticks
    playing: false,
    speed: nearest(wished),
    listen: (listener) => listeners.push(listener),
    tell: () => listeners.forEach((listener) => listener()),
    seek(t) {
      clock.t = Math.min(story.end, Math.max(0, t));
      clock.tell();
    },
    play(on = !clock.playing) {
      if (on && clock.t >= story.end) clock.t = 0;
      clock.playing = on;
      clock.tell();
    },
    faster(steps) {
      const place = SPEEDS.indexOf(clock.speed) + steps;
      clock.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, place))];
      clock.tell();
    },
    paceFor(ticks, seconds) {
      clock.speed = nearest(Math.max(1, story.seconds(ticks) / seconds));
    },
    pass(seconds) {
      clock.t += (seconds * clock.speed) / tick;
      if (clock.t >= story.end) {
        clock.t = story.end;
        clock.playing = false;
      }
      clock.tell();
    },
    // What happened within so many ticks is still to be seen: half a second of watching.
    get trail() {
      return (0.5 * clock.speed) / tick;
    },
  };
  return clock;
}
