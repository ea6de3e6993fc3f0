import type { FoundSource, SourceOutcome, SourceRefusal, SourceTask } from '@casement/checks/source-map';
import { readStackPlaces } from '@casement/checks/source-map';
import type { ReadResourceResult } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import type { RunSourceTask } from './run-source-task.js';

/** A place in the code of an app, as the app's page told it. */
export interface CodePlace {
  /** What the error says. */
  readonly message?: string | undefined;
  readonly sourceFile?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The text of the error's stack, for an error whose event has no place. */
  readonly stack?: string | undefined;
}

/** What the app's own frame fetched for the page, under the app's policy. */
export type FetchFromApp = (url: string) => Promise<{ readonly text: string } | { readonly refused: string }>;

/** Where the code of an app and its maps can be read; neither the page nor the gateway fetches an address of it (T17). */
export interface AppCode {
  /** Of the app's session: another one may be of another document. */
  readonly session: string;
  /** The address of its resource, to which those of its maps are relative. */
  readonly uri: string;
  /** The origin of its frame, `null` for one without. */
  readonly appOrigin: string;
  /** The HTML that is shown; undefined if it is not known any more. */
  readDocument(signal: AbortSignal): Promise<string | undefined>;
  /** Asks the app's server. */
  readResource(uri: string, signal: AbortSignal): Promise<ReadResourceResult>;
  readonly fetchFromApp?: FetchFromApp | undefined;
}

/** What is shown of a place. */
export interface SourceAnswer {
  /** In the author's own source. */
  readonly original?: FoundSource;
  /** In what was sent. */
  readonly written?: FoundSource;
  readonly isGuess?: true;
  /** Why the author's source is not shown. */
  readonly refusal?: SourceRefusal;
}

/** Longer than the app's frame may take to fetch something. */
const readMs = 12_000;

/** Creates a signal for something that has to be done in time, and a promise that rejects when it is not. */
const withinTime = async <T>(start: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`no answer within ${readMs / 1000} seconds.`));
    }, readMs);
  });
  try {
    return await Promise.race([start(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
};

const toRefusal = (code: SourceRefusal['code'], reason: string, nextStep: string): SourceAnswer => ({
  refusal: { code, reason, nextStep },
});

const toText = (error: unknown): string =>
  toPrintable(error instanceof Error ? error.message : String(error), 300);

/** From where a browser counts, as far as its words tell. */
const toCounting = ({ sourceFile, stack = '' }: Place): Pick<DocumentTask, 'counting'> => {
  if (isWritten(sourceFile)) return { counting: 'script' };
  return / > injectedScript:\d/.test(stack.slice(0, 8_000)) ? { counting: 'writer' } : {};
};

type DocumentTask = Extract<SourceTask, { task: 'document' }>;
type Place = {
  sourceFile: string | undefined;
  line: number;
  column: number | undefined;
  stack: string | undefined;
};

/** The event's own place, or the innermost of the stack. */
const choosePlace = ({ sourceFile, line, column, stack }: CodePlace): Place | undefined => {
  if (line !== undefined && line > 0) return { sourceFile, line, column, stack };
  const [first] = stack === undefined ? [] : readStackPlaces(stack);
  return first && { sourceFile: first.sourceFile, line: first.line, column: first.column, stack };
};

const isWeb = (file: string): boolean => /^https?:\/\//i.test(file);

/** What Chromium calls a script of a document that is written: in an event nothing, in a stack this. */
const isWritten = (file: string | undefined): boolean => file === '' || file === '<anonymous>';

/** Whether a browser means the app's own document by a name. */
const isDocument = (file: string, appOrigin: string): boolean =>
  isWritten(file) || file.startsWith('about:') || (appOrigin !== 'null' && file.startsWith(`${appOrigin}/`));

/** The first step: the document or script that the place is in. */
const readFirst = async (
  code: AppCode,
  place: Place,
  message: string,
): Promise<SourceTask | SourceAnswer> => {
  const { sourceFile = '', line, column } = place;
  const own = isDocument(sourceFile, code.appOrigin);
  if (isWeb(sourceFile) && !own) {
    const script = await fetchFrom(code, sourceFile, 'script');
    return 'text' in script
      ? { task: 'script', script: script.text, base: sourceFile, place: { line, column } }
      : script;
  }
  const html = await withinTime(code.readDocument).catch(() => undefined);
  if (html === undefined)
    return toRefusal(
      'document-changed',
      'The server does not give the document any more that is shown here.',
      'Reload the app and let it happen again.',
    );
  return {
    task: 'document',
    html,
    base: code.uri,
    place: { line, column },
    message,
    ...toCounting(place),
    ...(own ? {} : { name: sourceFile }),
  };
};

const fetchFrom = async (
  { fetchFromApp }: AppCode,
  url: string,
  what: 'script' | 'source map',
): Promise<{ text: string } | SourceAnswer> => {
  const shown = toPrintable(url, 300);
  const nextStep =
    'Put script and map into the HTML, or declare the origin in _meta.ui.csp.connectDomains of the resource and let it answer with Access-Control-Allow-Origin.';
  if (!fetchFromApp)
    return toRefusal(
      'map-unreadable',
      `The ${what} is at ${shown}. Only the app’s own frame may fetch it, and it cannot be asked.`,
      nextStep,
    );
  const answer = await withinTime(() => fetchFromApp(url)).catch((error: unknown) => ({
    refused: toText(error),
  }));
  if ('refused' in answer)
    return toRefusal(
      'map-unreadable',
      `The app’s frame could not fetch the ${what} at ${shown}: ${toPrintable(answer.refused, 300)}`,
      nextStep,
    );
  return answer;
};

type MapTask = Extract<SourceTask, { task: 'map' }>;

/** Reads a map that is not in the script: from the app's server, or through the app's frame. */
const readMap = async (
  code: AppCode,
  address: NonNullable<SourceOutcome['elsewhere']>['address'],
): Promise<MapTask['map'] | SourceAnswer> => {
  if (address.kind === 'fetch') return fetchFrom(code, address.url, 'source map');
  const { uri } = address;
  try {
    const { contents } = await withinTime((signal) => code.readResource(uri, signal));
    const item = contents.find((one) => one.uri === uri) ?? contents[0];
    if (item && 'text' in item && typeof item.text === 'string') return { text: item.text };
    if (item && 'blob' in item && typeof item.blob === 'string') return { base64: item.blob };
    throw new Error('the server returned no content.');
  } catch (error) {
    return toRefusal(
      'map-unreadable',
      `The server did not give the source map ${toPrintable(uri, 300)}: ${toText(error)}`,
      'Register the map as a resource under this address, or put it into the script itself.',
    );
  }
};

const isAnswer = (value: object): value is SourceAnswer => 'refusal' in value;

/** Follows a place to its source: the document, then its map from wherever it is. Nothing is thrown. */
export const findSource = async (
  code: AppCode,
  place: CodePlace,
  run: RunSourceTask,
): Promise<SourceAnswer> => {
  const chosen = choosePlace(place);
  const first = chosen && (await readFirst(code, chosen, place.message ?? ''));
  if (first && isAnswer(first)) return first;
  // Without a place the worker has nothing to do either, and says so.
  const { elsewhere, ...found } = await run(
    first ?? { task: 'document', html: '', base: code.uri, place: { line: 0 }, message: '' },
  );
  if (!elsewhere) return found;
  const map = await readMap(code, elsewhere.address);
  if (isAnswer(map)) return { ...found, ...map };
  return { ...found, ...(await run({ task: 'map', map, place: elsewhere.at })) };
};
