// What a question of one's own is made of, so that it takes no answer by accident and shows all that it asks about.
export { createArming } from '../dom/focus/arming.js';
export { shownLength, toTextPieces } from '../dom/shown-text.js';
