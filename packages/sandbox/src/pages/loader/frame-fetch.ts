// Reads a text as the app itself could, under its policy and without credentials. The host brings this script when it
// looks for a source map, and the loader runs it in the guest, which can forge what is read. The text goes back in pieces.

/** What the loader puts on this script's element. */
interface Given {
  readonly url: string;
}

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_MS = 10_000;
/** The characters of a piece: in the form of JSON it stays below what the proxy takes at once. */
const PIECE = 80_000;

const script = document.currentScript as (HTMLScriptElement & Given) | null;

const say = (detail: object): void => void script?.dispatchEvent(new CustomEvent('view', { detail }));

const readText = async (url: string): Promise<string> => {
  const answer = await fetch(url, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(MAX_MS),
  });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    bytes += part.value.length;
    if (bytes > MAX_BYTES) {
      void reader?.cancel();
      throw new Error('It has more than 10 MB.');
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
};

if (script)
  readText(script.url).then(
    (text) => {
      for (let at = 0; at < text.length || at === 0; at += PIECE)
        say({ piece: text.slice(at, at + PIECE), more: at + PIECE < text.length });
    },
    (error: unknown) => say({ refused: String(error).slice(0, 300) }),
  );
