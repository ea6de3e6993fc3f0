import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord } from '@casement/protocol/start';
import { AppServerError } from './app-server-error.js';
import { watchFile } from './watch-file.js';

/** An app's HTML: the document, a file that holds it, or a function of the request that returns it. */
export type AppTemplate<Read> = string | URL | { readonly file: string | URL } | Read;

/** An app whose document is known before anyone asks. */
export interface FixedTemplate {
  /** The file's name, where there is one. */
  readonly name?: string;
  read(): string;
  /** The document as it was last read, where its file has gone since: enough to be listed by. */
  readKnown(): string;
  /** Tells of changes of the file, where there is one, for as long as `onChange` is held elsewhere. */
  watch?(onChange: () => void): void;
}

interface CachedFile {
  readonly mtimeMs: number;
  readonly size: number;
  readonly html: string;
}

/** A server may be made anew for every request; its files are then not read anew. */
const files = new Map<string, CachedFile>();

/** Takes a template apart; undefined for a function, which is only known per request. */
export const toFixedTemplate = (template: unknown): FixedTemplate | undefined => {
  if (typeof template === 'function') return undefined;
  if (typeof template === 'string') {
    checkDocument(template);
    return { read: () => template, readKnown: () => template };
  }
  const file = template instanceof URL ? template : isRecord(template) ? template['file'] : undefined;
  if (!(file instanceof URL) && typeof file !== 'string') {
    throw new AppServerError(
      'template-missing',
      'The template is neither text, file nor function.',
      "Give the HTML, { file: 'app.html' }, or a function that returns the HTML.",
    );
  }
  const path = toPath(file);
  const read = (): string => readTemplateFile(path);
  const readKnown = (): string => {
    try {
      return read();
    } catch (error) {
      // A server made anew for every request would fail with all its tools while one file is being built.
      const known = files.get(path);
      if (known) return known.html;
      throw error;
    }
  };
  readKnown();
  return { name: basename(path), read, readKnown, watch: (onChange) => watchFile(path, onChange) };
};

const toPath = (file: string | URL): string => {
  if (typeof file === 'string' && !file.startsWith('file:')) return resolve(file);
  try {
    return fileURLToPath(file);
  } catch (cause) {
    throw new AppServerError(
      'template-unreadable',
      `The template ${String(file)} is not a file.`,
      "Give a path, or new URL('./app.html', import.meta.url).",
      { cause },
    );
  }
};

const readTemplateFile = (path: string): string => {
  try {
    const found = statSync(path);
    // A pipe or a device would be waited for, and the whole server with it.
    if (!found.isFile()) throw new Error(`${path} is not a regular file`);
    const { mtimeMs, size } = found;
    const known = files.get(path);
    if (known?.mtimeMs === mtimeMs && known.size === size) return known.html;
    const html = readFileSync(path, 'utf8');
    checkDocument(html);
    files.set(path, { mtimeMs, size, html });
    return html;
  } catch (cause) {
    if (cause instanceof AppServerError) throw cause;
    const isGone = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new AppServerError(
      'template-unreadable',
      // Its name alone: once the app is served, a client reads this; the cause has the path.
      `The template file ${basename(path)} ${isGone ? 'does not exist at the moment' : 'cannot be read'}.`,
      isGone ? 'Build the app, or correct the path.' : 'See that it is a file the server may read.',
      { cause },
    );
  }
};

/** A host writes the document into a frame as it is: without a doctype it would run in quirks mode (SERVER-005). */
export const checkDocument = (html: string): void => {
  // Each comment ends at its first "-->": were that left open, many comments would be tried in every combination.
  if (/^\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<!doctype html\b/i.test(html)) return;
  const shown = html.trim().slice(0, 60);
  throw new AppServerError(
    'template-not-html',
    shown === ''
      ? 'The template is empty.'
      : `The template is not an HTML document: it begins with "${shown}".`,
    /^[^<>\n]+\.html?$/i.test(shown)
      ? `If this is a path, write { file: '${shown}' }.`
      : 'Begin it with <!doctype html>.',
  );
};

let hashed: { readonly text: string; readonly hash: string } | undefined;

/** The name a host may compare to know whether it has this document: the SHA-256 of its bytes. */
export const toContentHash = (content: string | Uint8Array): string => {
  // A changed file is the same text to every server that has it; a server made for each request has it, too.
  if (hashed !== undefined && hashed.text === content) return hashed.hash;
  const hash = createHash('sha256').update(content).digest('hex');
  // What is short is hashed at once.
  if (typeof content === 'string' && content.length > 4096) hashed = { text: content, hash };
  return hash;
};
