import * as casement from '@casement/react';
import * as compat from '@casement/react/compat';
import * as react from 'react';
import { createRoot } from 'react-dom/client';
import { createAnswers, shownTool, toServer } from '../contract/page-answers.js';

const globals = { ...casement, ...compat, ...react, createRoot, createAnswers, shownTool, toServer };

declare global {
  interface Window {
    rx: typeof globals;
    /** Anything a test wants to keep between two evaluations. */
    seen: Record<string, unknown[]>;
  }
}

window.rx = globals;
window.seen = {};
