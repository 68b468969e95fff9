import { InvalidArgumentError, Option } from 'commander';
import { processRoles, type ProcessRole } from '../areas/process-roles.js';
import { creditsIn } from '../domain/billing/amounts.js';
import { roles } from '../domain/groups/roles.js';
import type { ModelRef } from '../domain/models/hosted.js';
import { parseTime } from '../domain/time.js';

// How the texts of options are read; what cannot be is refused by commander, which names the option.

function refuse(why: string): never {
  throw new InvalidArgumentError(why);
}

export function nonEmpty(text: string): string {
  return text.trim() === '' ? refuse('It must not be empty.') : text;
}

export function email(text: string): string {
  return /^[^\s@]+@[^\s@]+$/.test(text) ? text : refuse('It is not an e-mail address.');
}

/** Items separated by commas. */
export const list = (text: string): string[] =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');

/** Epoch ms. */
export function time(text: string): number {
  return parseTime(text) ?? refuse('It is not a time, such as 2026-01-31T12:00Z.');
}

export function whole(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse('It is no whole number.');
}

export function positive(text: string): number {
  return whole(text) || refuse('It must be at least 1.');
}

/** Levels of quantiles, separated by commas. */
export function levels(text: string): number[] {
  const found = list(text).map(Number);
  const fit = found.length > 0 && found.every(level => level > 0 && level < 1);
  return fit ? found : refuse('It must be numbers between 0 and 1, separated by commas.');
}

/** Thousandths of a credit; may be below zero. */
export function credits(text: string): number {
  return creditsIn(text) ?? refuse('It is no number of credits with at most three places.');
}

export function someCredits(text: string): number {
  return credits(text) > 0 ? credits(text) : refuse('It must be above 0.');
}

export function processRolesIn(text: string): ProcessRole[] {
  const names = list(text);
  const isKnown = (name: string) => processRoles.some(role => role === name);
  if (names.length === 0 || !names.every(isKnown))
    refuse(`It must be some of ${processRoles.join(', ')}, separated by commas.`);
  return processRoles.filter(role => names.includes(role));
}

export function modelRef(text: string): ModelRef {
  const [family, slug, more] = text.split('/');
  return family && slug && more === undefined
    ? { family, slug }
    : refuse('It is not FAMILY/SLUG, such as presage/nano.');
}

/** The role of a member. */
export const roleOption = (description: string): Option =>
  new Option('--role <role>', description).choices(roles).default('viewer');

/** A number; what is taken where none is said, and how that is called. */
export const wholeOption = (
  flags: string,
  description: string,
  fallback: number | null,
  named?: string,
): Option => new Option(flags, description).argParser(whole).default(fallback, named);
