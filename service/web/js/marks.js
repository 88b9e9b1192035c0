// What an answer says of each piece: {state: good | bad | ask | dim | "", badge}, by id. Pure.

// Problems that change no score leave a piece's mark as it is.
const SOFT = new Set(["tiles-too-close", "animal-count", "land-count", "marker-at-setup", "stray-card", "field-string-open", "field-string-missing"]);

export function marks(answer) {
  const found = new Map(answer.pieces.map((piece) => [piece.id, {state: "", badge: ""}]));
  const set = (ids, state, badge = "") => {
    for (const id of ids || []) if (found.has(id)) found.set(id, {state, badge: badge || found.get(id).badge});
  };
  for (const piece of answer.pieces) if (piece.label === "back" || piece.label === null) set([piece.id], "dim");
  const sheet = answer.sheet || {};
  if (sheet.enclosed) {
    set(sheet.enclosed, "good", "✓");
    set(sheet.touching, "bad", "✕");
  }
  for (const photo of sheet.photos || []) {
    if (photo.valid) {
      for (const start of photo.starts) {
        const n = photo.sequence.length;
        photo.sequence.forEach((_, k) => set([sheet.pieces[(start + k) % sheet.pieces.length]], "good", n > 1 ? String(k + 1) : ""));
      }
      set([photo.piece], "good", "✓");
    } else if (photo.valid === false) set([photo.piece], "bad", "✕");
  }
  for (const problem of answer.problems || []) if (!SOFT.has(problem.rule)) set(problem.pieces, "bad", "!");
  for (const question of answer.questions || []) set([question.piece], "ask", "?");
  return found;
}

// Before a claim nothing may tell whether a photo card in view is right.
export function silenced(answer) {
  if (answer.game !== "kleine-fotosafari") return answer;
  return {...answer, sheet: {...answer.sheet, photos: []}};
}

export const isSoft = (problem) => SOFT.has(problem.rule);
