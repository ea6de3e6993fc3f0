import type { ModelImage } from '@casement/protocol';

/** One thing that is listed in a question. */
export interface QuestionItem {
  readonly name: string;
  readonly note: string;
}

/** A text that is decided on. */
export interface QuestionText {
  /** Whose words they are, or what: the host's own word, which the text cannot forge. */
  readonly label?: string;
  /** Complete and as it will be sent; it is made printable where it is shown, and never cut without a way to all of it. */
  readonly text: string;
}

/** One question to the user. Single lines in it were made printable; texts are as they came. */
export interface Question {
  readonly title: string;
  /** What is decided on, alone on its line and before everything else: a host, or the app that speaks (E09). */
  readonly subject: string;
  /** The end of a host's name, which decides whose it is: on a line of its own, after what is in `subject`. */
  readonly subjectEnd?: string;
  readonly asker: string;
  readonly warnings: readonly string[];
  /** The whole address, where it is about one. */
  readonly address?: string;
  readonly texts?: readonly QuestionText[];
  readonly pictures?: readonly ModelImage[];
  readonly items?: readonly QuestionItem[];
  readonly allow: string;
  /** The label of "always"; without it the question is asked each time. It waits until all of the texts was in sight. */
  readonly always?: string;
}
