import { shownLength, toTextPieces } from '../dom/shown-text.js';
import type { DialogWords } from '../dom/host-words.js';
import { toElement } from './elements.js';
import type { LongContent } from './long-content.js';
import { createLongContent } from './long-content.js';
import type { Question, QuestionItem, QuestionText } from './question.js';

/** What a question shows, as elements. */
export interface QuestionBody {
  readonly element: HTMLElement;
  /** Whether every text of it was in sight, to its end. */
  isSeen(): boolean;
  /** Looks what fits into its place; to be called when the question is on the page. */
  measure(): void;
}

type BodyWords = Pick<DialogWords, 'cut' | 'cutPictures' | 'showAll' | 'contents'>;

/** Title, then what is decided on, then who asks: in this order and all as text, never as markup. */
export const createQuestionBody = (
  page: Document,
  question: Question,
  options: { readonly words: BodyWords; onShowAll(): void; onSeen(): void },
): QuestionBody => {
  const element = toElement(page, 'div', 'body');
  const title = toElement(page, 'h2', '', question.title);
  title.setAttribute('part', 'title');
  title.id = 'title';
  const asker = toElement(page, 'p', 'asker', question.asker);
  asker.id = 'asker';
  const toLong = (
    box: HTMLElement,
    length: number,
    fill?: () => void,
    note = options.words.cut(length),
  ): LongContent =>
    createLongContent(box, {
      note,
      showAll: options.words.showAll,
      name: options.words.contents,
      ...(fill ? { fill } : {}),
      onShowAll: options.onShowAll,
      onSeen: options.onSeen,
    });
  const contents = [
    ...(question.address === undefined
      ? []
      : [toLong(toAddress(page, question.address, question), question.address.length)]),
    ...(question.texts ? [toLongTexts(page, question.texts, toLong)] : []),
    ...(question.items ? [toLong(toItems(page, question.items), countLetters(question.items))] : []),
  ];
  const pictures = toPictures(page, question.pictures ?? []);
  if (pictures?.fill) {
    const note = options.words.cutPictures(question.pictures?.length ?? 0);
    contents.push(toLong(pictures.place, 0, pictures.fill, note));
  }
  element.append(
    title,
    toSubject(page, question),
    ...question.warnings.map((warning) => toElement(page, 'p', 'warning', warning)),
    asker,
    ...contents.flatMap(({ elements }) => elements),
    ...(pictures && !pictures.fill ? [pictures.place] : []),
  );
  return {
    element,
    isSeen: () => contents.every((content) => content.isSeen()),
    measure: () => contents.forEach((content) => content.measure()),
  };
};

/** The end of a host's name stands on a line of its own as soon as there is much before it. */
const toSubject = (page: Document, { subject, subjectEnd }: Question): HTMLElement => {
  const element = toElement(page, 'p', 'subject', subject);
  element.id = 'subject';
  element.setAttribute('part', 'subject');
  if (subjectEnd === undefined) return element;
  element.classList.add('host');
  element.classList.toggle('long', subject.length > 24);
  element.replaceChildren(
    ...(subject === '' ? [] : [toElement(page, 'span', 'front', subject)]),
    toElement(page, 'strong', 'end', subjectEnd),
  );
  return element;
};

/** The whole address; the end of the host's name is as easy to find here as above. */
const toAddress = (page: Document, address: string, { subject, subjectEnd = '' }: Question): HTMLElement => {
  const box = toElement(page, 'div', 'detail address');
  const [front = ''] = /^\w+:\/\/[^/?#]*/.exec(address) ?? [];
  const isEnd = subject !== '' && subjectEnd !== '' && front.endsWith(subjectEnd);
  const start = isEnd ? front.length - subjectEnd.length : 0;
  box.append(address.slice(0, start));
  if (isEnd) box.append(toElement(page, 'b', '', subjectEnd));
  box.append(address.slice(isEnd ? front.length : 0));
  return box;
};

const toLongTexts = (
  page: Document,
  texts: readonly QuestionText[],
  toLong: (box: HTMLElement, length: number, fill?: () => void) => LongContent,
): LongContent => {
  const box = toElement(page, 'div', 'detail');
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  const isCut = length > shownLength;
  const fill = (): void => box.replaceChildren(...toPieces(page, texts));
  if (isCut) box.append(...toPieces(page, toBeginning(texts)));
  else fill();
  return toLong(box, length, isCut ? fill : undefined);
};

const toBeginning = (texts: readonly QuestionText[]): QuestionText[] => {
  const shown: QuestionText[] = [];
  let room = shownLength;
  for (const { text, ...rest } of texts) {
    if (room <= 0) break;
    shown.push({ ...rest, text: text.length > room ? `${text.slice(0, room)}…` : text });
    room -= text.length;
  }
  return shown;
};

/** Each piece is laid out when it comes into sight: a megabyte is as quick as a page. */
const toPieces = (page: Document, texts: readonly QuestionText[]): HTMLElement[] => {
  const pieces: HTMLElement[] = [];
  let piece: HTMLElement | undefined;
  let length = 0;
  const add = (part: HTMLElement | string, size: number): void => {
    if (!piece || length + size > 8_192) {
      piece = toElement(page, 'div', 'piece');
      pieces.push(piece);
      length = 0;
    }
    piece.append(part);
    length += size;
  };
  texts.forEach(({ label, text }) => {
    const block = toElement(page, 'div', 'text');
    if (label !== undefined) block.append(toElement(page, 'span', 'label', label), ' ');
    const [first = '', ...others] = toTextPieces(text);
    block.append(first);
    add(block, first.length + 40);
    for (const other of others) add(other, other.length);
  });
  return pieces;
};

const toItems = (page: Document, items: readonly QuestionItem[]): HTMLElement => {
  const list = toElement(page, 'ul', 'items');
  list.append(
    ...items.map(({ name, note }) => {
      const item = toElement(page, 'li', '');
      item.append(toElement(page, 'span', 'name', name), toElement(page, 'span', 'note', note));
      return item;
    }),
  );
  return list;
};

const countLetters = (items: readonly QuestionItem[]): number =>
  items.reduce((sum, { name, note }) => sum + name.length + note.length, 0);

const maxPictures = 8;
const maxPictureLength = 700_000;

/**
 * Only kinds that are nothing but pixels reach this place, and only from the address itself. Where there are many, or
 * large ones, `fill` shows all of them: a model sees each.
 */
const toPictures = (
  page: Document,
  pictures: NonNullable<Question['pictures']>,
): { readonly place: HTMLElement; fill?(): void } | undefined => {
  if (pictures.length === 0) return undefined;
  const first = pictures.slice(0, maxPictures).filter(({ data }) => data.length <= maxPictureLength);
  const place = toElement(page, 'div', 'pictures');
  const show = (shown: typeof pictures): void =>
    place.replaceChildren(
      ...shown.map(({ data, mediaType }) => {
        const image = page.createElement('img');
        image.alt = mediaType;
        image.decoding = 'async';
        image.src = `data:${mediaType};base64,${data}`;
        return image;
      }),
    );
  show(first);
  return first.length === pictures.length ? { place } : { place, fill: () => show(pictures) };
};
