import type { MetadataFinding } from '@casement/protocol';
import { healJson } from './heal-json.js';
import type { Surface } from '../surface.js';

/** Arguments that are still being written, shown as far as they came. */
export interface PartialInput {
  /** The text so far; the next painted frame shows it, or a longer one. */
  show(textSoFar: string): void;
  /** Nothing more is shown of what came: the complete input is there, or nobody is left to see it. */
  stop(): void;
}

const frameMs = 16;

/**
 * Reads the latest text at most once per painted frame, however many pieces it came in, and not at all once it is
 * longer than the limit: what the whole stream costs is then bounded by the time it takes.
 */
export const createPartialInput = (parts: {
  readonly surface: Pick<Surface, 'nextFrame'>;
  readonly maxPartialLength: number;
  addFinding(finding: MetadataFinding): void;
  take(args: Record<string, unknown>): void;
}): PartialInput => {
  const { surface, maxPartialLength, addFinding, take } = parts;
  let latest = '';
  let shown: string | undefined;
  let cancel: (() => void) | undefined;

  const read = (): void => {
    cancel = undefined;
    const healed = healJson(latest);
    if (healed.status === 'malformed') return addFinding(toFinding(healed.at));
    // Half a key or number changes nothing that can be shown.
    if (healed.status === 'nothing' || healed.text === shown) return;
    shown = healed.text;
    take(healed.value);
  };

  return {
    show(textSoFar) {
      if (textSoFar.length > maxPartialLength) return addFinding(tooLong);
      latest = textSoFar;
      cancel ??= surface.nextFrame ? surface.nextFrame(read) : startPause(read);
    },
    stop() {
      cancel?.();
      cancel = undefined;
      latest = '';
    },
  };
};

const startPause = (callback: () => void): (() => void) => {
  const timer = setTimeout(callback, frameMs);
  return () => clearTimeout(timer);
};

const toFinding = (at: number): MetadataFinding => ({
  code: 'partial-input',
  message: `The streamed arguments stop being JSON of an object at character ${at}; they are not shown while they come.`,
  fix: 'Give sendToolInputText the text of the arguments exactly as the model writes it, from the first character on.',
  path: 'sendToolInputText',
});

const tooLong: MetadataFinding = {
  code: 'partial-input',
  message:
    'The streamed arguments are too long to be shown while they come; the app gets them once complete.',
  fix: 'Nothing is lost. Raise limits.maxPartialLength if the app should see more while they come.',
  path: 'sendToolInputText',
};
