import type { DisplayMode } from '@casement/protocol';
import { findMethod } from '@casement/protocol/wire';
import { displayModes, isRecord } from '@casement/protocol/start';
import { ExtAppsInvalidParamsError } from './ext-apps-errors.js';

type Fields = Record<string, unknown>;

const refuse = (message: string): never => {
  throw new ExtAppsInvalidParamsError(message);
};

/** A text that says something, such as a tool's name. */
export const readText = (params: Fields, key: string): string => {
  const value = params[key];
  return typeof value === 'string' && value.trim() !== '' ? value : refuse(`${key} must be a text.`);
};

/** A text that may be left out. */
export const readOptionalText = (params: Fields, key: string): string | undefined =>
  params[key] === undefined ? undefined : readText(params, key);

/** An object, or the empty one where it may be left out. */
export const readFields = (params: Fields, key: string, isOptional = false): Fields => {
  const value = params[key];
  if (value === undefined && isOptional) return {};
  return isRecord(value) ? value : refuse(`${key} must be an object.`);
};

/** Any value, but one. */
export const readPresent = (params: Fields, key: string): unknown =>
  params[key] ?? refuse(`${key} is missing.`);

/** A truth value with a default. */
export const readFlag = (params: Fields, key: string, fallback: boolean): boolean => {
  const value = params[key] ?? fallback;
  return typeof value === 'boolean' ? value : refuse(`${key} must be true or false.`);
};

/** One of the three modes. */
export const readMode = (params: Fields): DisplayMode =>
  displayModes.find((mode) => mode === params['mode']) ??
  refuse(`mode must be one of ${displayModes.join(', ')}.`);

/** An address a browser may be sent to; what was checked is what is returned. */
export const readLink = (params: Fields): string => {
  const text = readText(params, 'url');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && ['http:', 'https:'].includes(url.protocol)
    ? url.href
    : refuse('url must be an http or https address.');
};

const logMethods = new Map<unknown, 'debug' | 'info' | 'warn' | 'error'>([
  [undefined, 'info'],
  ['debug', 'debug'],
  ['info', 'info'],
  ['notice', 'info'],
  ['warn', 'warn'],
  ['warning', 'warn'],
  ['error', 'error'],
  ['critical', 'error'],
  ['alert', 'error'],
  ['emergency', 'error'],
]);

/** The logger's method for a level, of either list of levels. */
export const readLogMethod = (params: Fields): 'debug' | 'info' | 'warn' | 'error' =>
  logMethods.get(params['level']) ?? refuse('level must be debug, info, warn or error.');

/** Parameters of one of the specification's messages, checked against the method table. */
export const checkSpecParams = (method: string, params: Fields): void => {
  try {
    findMethod(['app'], method)?.params(params);
  } catch (error) {
    refuse(error instanceof Error ? error.message : 'not valid');
  }
};
