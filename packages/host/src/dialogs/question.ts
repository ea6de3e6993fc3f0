/** One thing that is listed in a question. */
interface QuestionItem {
  readonly name: string;
  readonly note: string;
}

/** One question to the user; everything in it may be foreign text and was made printable. */
export interface Question {
  readonly title: string;
  /** What is decided on, alone on its line and before everything else: a host, or the app that speaks (E09). */
  readonly subject: string;
  readonly asker: string;
  readonly warnings: readonly string[];
  /** The whole of it: an address, a text. */
  readonly detail?: string;
  readonly items?: readonly QuestionItem[];
  readonly allow: string;
  /** The label of "always"; without it the question is asked each time. */
  readonly always?: string;
}
