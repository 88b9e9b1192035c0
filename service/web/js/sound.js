// Short sounds and spoken words; both can be turned off.

import {prefs} from "./prefs.js";

let context = null;
const TUNES = {
  click: [[1400, 0, .03, "square"], [700, .05, .04, "square"]],
  good: [[523, 0, .12, "triangle"], [659, .11, .12, "triangle"], [784, .22, .28, "triangle"]],
  bad: [[220, 0, .18, "sawtooth"], [165, .16, .3, "sawtooth"]],
  ask: [[587, 0, .12, "sine"], [587, .2, .16, "sine"]],
  done: [[392, 0, .1, "triangle"], [523, .1, .2, "triangle"]],
};

export function play(name) {
  if (!prefs.sound) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
    for (const [hertz, at, length, type] of TUNES[name] || []) {
      const tone = context.createOscillator(), volume = context.createGain(), start = context.currentTime + at;
      tone.type = type;
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(.0001, start);
      volume.gain.exponentialRampToValueAtTime(type === "square" || type === "sawtooth" ? .06 : .16, start + .012);
      volume.gain.exponentialRampToValueAtTime(.0001, start + length);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + length + .02);
    }
  } catch { /* a browser without sound plays on in silence */ }
}

export function say(text) {
  if (!prefs.speech || !("speechSynthesis" in window)) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}
