import { shownLength, toTextPieces } from '../dom/shown-text.js';
import type { DialogWords } from '../dom/host-words.js';
import { createElement } from './elements.js';
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

/** Creates the body of a question: the title, the subject, then who asks. All of it is text, never markup. */
export const createQuestionBody = (
  page: Document,
  question: Question,
  options: { readonly words: BodyWords; onShowAll(): void; onSeen(): void },
): QuestionBody => {
  const element = createElement(page, 'div', 'body');
  const title = createElement(page, 'h2', '', question.title);
  title.setAttribute('part', 'title');
  title.id = 'title';
  const asker = createElement(page, 'p', 'asker', question.asker);
  asker.id = 'asker';
  const createLong = (
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
      : [createLong(createAddress(page, question.address, question), question.address.length)]),
    ...(question.texts ? [createLongTexts(page, question.texts, createLong)] : []),
    ...(question.items ? [createLong(createItems(page, question.items), countLetters(question.items))] : []),
  ];
  const pictures = createPictures(page, question.pictures ?? []);
  if (pictures?.fill) {
    const note = options.words.cutPictures(question.pictures?.length ?? 0);
    contents.push(createLong(pictures.place, 0, pictures.fill, note));
  }
  element.append(
    title,
    createSubject(page, question),
    ...question.warnings.map((warning) => createElement(page, 'p', 'warning', warning)),
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
const createSubject = (page: Document, { subject, subjectEnd }: Question): HTMLElement => {
  const element = createElement(page, 'p', 'subject', subject);
  element.id = 'subject';
  element.setAttribute('part', 'subject');
  if (subjectEnd === undefined) return element;
  element.classList.add('host');
  element.classList.toggle('long', subject.length > 24);
  element.replaceChildren(
    ...(subject === '' ? [] : [createElement(page, 'span', 'front', subject)]),
    createElement(page, 'strong', 'end', subjectEnd),
  );
  return element;
};

/** The whole address; the end of the host's name is as easy to find here as above. */
const createAddress = (
  page: Document,
  address: string,
  { subject, subjectEnd = '' }: Question,
): HTMLElement => {
  const box = createElement(page, 'div', 'detail address');
  const [front = ''] = /^\w+:\/\/[^/?#]*/.exec(address) ?? [];
  const isEnd = subject !== '' && subjectEnd !== '' && front.endsWith(subjectEnd);
  const start = isEnd ? front.length - subjectEnd.length : 0;
  box.append(address.slice(0, start));
  if (isEnd) box.append(createElement(page, 'b', '', subjectEnd));
  box.append(address.slice(isEnd ? front.length : 0));
  return box;
};

const createLongTexts = (
  page: Document,
  texts: readonly QuestionText[],
  createLong: (box: HTMLElement, length: number, fill?: () => void) => LongContent,
): LongContent => {
  const box = createElement(page, 'div', 'detail');
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  const isCut = length > shownLength;
  const fill = (): void => box.replaceChildren(...createPieces(page, texts));
  if (isCut) box.append(...createPieces(page, toBeginning(texts)));
  else fill();
  return createLong(box, length, isCut ? fill : undefined);
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
const createPieces = (page: Document, texts: readonly QuestionText[]): HTMLElement[] => {
  const pieces: HTMLElement[] = [];
  let piece: HTMLElement | undefined;
  let length = 0;
  const add = (part: HTMLElement | string, size: number): void => {
    if (!piece || length + size > 8_192) {
      piece = createElement(page, 'div', 'piece');
      pieces.push(piece);
      length = 0;
    }
    piece.append(part);
    length += size;
  };
  texts.forEach(({ label, text }) => {
    const block = createElement(page, 'div', 'text');
    if (label !== undefined) block.append(createElement(page, 'span', 'label', label), ' ');
    const [first = '', ...others] = toTextPieces(text);
    block.append(first);
    add(block, first.length + 40);
    for (const other of others) add(other, other.length);
  });
  return pieces;
};

const createItems = (page: Document, items: readonly QuestionItem[]): HTMLElement => {
  const list = createElement(page, 'ul', 'items');
  list.append(
    ...items.map(({ name, note }) => {
      const item = createElement(page, 'li', '');
      item.append(createElement(page, 'span', 'name', name), createElement(page, 'span', 'note', note));
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
const createPictures = (
  page: Document,
  pictures: NonNullable<Question['pictures']>,
): { readonly place: HTMLElement; fill?(): void } | undefined => {
  if (pictures.length === 0) return undefined;
  const first = pictures.slice(0, maxPictures).filter(({ data }) => data.length <= maxPictureLength);
  const place = createElement(page, 'div', 'pictures');
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
