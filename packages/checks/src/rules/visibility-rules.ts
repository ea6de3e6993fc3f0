import { readToolUi } from '@casement/protocol/resource';
import { toPrintable } from '@casement/protocol/basics';
import { isRecord } from '@casement/protocol/start';
import type { DoctorFinding } from '../doctor/report.js';

/**
 * A tool that says itself that no model is to call it. Only plain words count: tools that an app and a model both use
 * are common, and nothing else tells them apart. Another word after "the app", as in "the app store", makes it another
 * thing.
 */
const saysAppOnly = [
  /\b(?:app|ui|widget|view|iframe)(?:-only\b| only(?:[.,;:)]|$))/i,
  /\b(?:only|exclusively|internally) (?:called |used |invoked |polled )?(?:by|from|for) the (?:app|ui|widget|view|iframe)(?:[.,;:)]| itself|$)/i,
  /\b(?:called|used|invoked|polled) (?:only|exclusively|internally) (?:by|from) the (?:app|ui|widget|view|iframe)(?:[.,;:)]| itself|$)/i,
  /\binternal (?:tool )?(?:for|of) the (?:app|ui|widget|view|iframe)(?:[.,;:)]| itself|$)/i,
  /\bnot (?:meant |intended |to be called |called |used )?(?:for|by) the (?:model|llm)\b/i,
  /\bthe (?:model|llm) (?:should|must) (?:not|never) (?:call|use) (?:it|this)\b/i,
];

/** More of a description says nothing new about it. */
const maxDescription = 2_000;

const shared = { stage: 'found', witness: 'host' } as const;

const readVisibilityList = (tool: Record<string, unknown>): unknown => {
  const ui = isRecord(tool._meta) ? tool._meta.ui : undefined;
  return isRecord(ui) ? ui.visibility : undefined;
};

const findForgotten = (tool: Record<string, unknown>, tools: readonly unknown[]): DoctorFinding[] => {
  const { description } = tool;
  if (typeof description !== 'string' || readToolUi(tool).resourceUri !== undefined) return [];
  const text = description.slice(0, maxDescription);
  if (!saysAppOnly.some((pattern) => pattern.test(text))) return [];
  // Without any app among the tools those words mean something else.
  if (!tools.slice(0, 500).some((one) => readToolUi(one).resourceUri !== undefined)) return [];
  return [
    {
      ...shared,
      code: 'visibility-forgotten',
      severity: 'warning',
      message: 'The tool says that it is for the app alone, and the model sees it all the same.',
      fix: 'Add "_meta": { "ui": { "visibility": ["app"] } } to the tool.',
      path: '_meta.ui.visibility',
    },
  ];
};

const findUnknown = (listed: readonly unknown[]): DoctorFinding[] => {
  const unknown = listed.slice(0, 20).filter((name) => name !== 'model' && name !== 'app');
  const fix = 'Use "model" and "app": "_meta": { "ui": { "visibility": ["model", "app"] } }.';
  if (listed.length === 0) {
    const message = 'The visibility of the tool is an empty list: neither a model nor an app may call it.';
    return [
      { ...shared, code: 'visibility-empty', severity: 'warning', message, fix, path: '_meta.ui.visibility' },
    ];
  }
  return unknown.slice(0, 1).map((name) => ({
    ...shared,
    code: 'visibility-unknown',
    severity: 'warning',
    message: `The visibility of the tool names ${typeof name === 'string' ? `"${toPrintable(name, 60)}"` : 'something'}, which no host knows.`,
    fix,
    path: '_meta.ui.visibility',
  }));
};

/** Whether the right ones see a tool. */
export const findVisibilityFaults = (tool: unknown, tools: readonly unknown[]): DoctorFinding[] => {
  if (!isRecord(tool)) return [];
  const listed = readVisibilityList(tool);
  if (Array.isArray(listed)) return findUnknown(listed);
  return listed === undefined ? findForgotten(tool, tools) : [];
};
