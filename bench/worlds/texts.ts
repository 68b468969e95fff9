import type { Chance } from './chance.js';

export const TOPICS = ['outage', 'campaign', 'weather', 'transport', 'plant', 'sport', 'notice'] as const;
export type Topic = (typeof TOPICS)[number];
/** How much weight a text carries, and which way its tone goes. */
export type Weight = 'minor' | 'middle' | 'major';
export type Tone = 'good' | 'bad';

/** `{p}` is a place, `{n}` a number. */
const TEXTS: Readonly<Record<Topic, Readonly<Record<Tone, Readonly<Record<Weight, string>>>>>> = {
  outage: {
    bad: {
      minor: 'Log files in {p} rotated, {n} minutes',
      middle: 'Checkout errors in {p}: {n}% of payments fail since this morning',
      major: 'Total outage of the platform in {p}: all payments down, {n} customers cut off',
    },
    good: {
      minor: 'Small cache change in {p}, pages {n} ms quicker',
      middle: 'New data centre in {p} opens, response times fall by {n}%',
      major: 'Historic launch in {p}: the service goes free for {n} million households',
    },
  },
  campaign: {
    good: {
      minor: 'Weekly newsletter sent to {n} readers in {p}',
      middle: 'Good start in {p}: discount of {n}% brings crowds of happy customers',
      major: 'Record success: biggest sale in our history in {p}, {n} million customers delighted',
    },
    bad: {
      minor: 'Leaflet for {p} printed with a wrong page number, {n} copies',
      middle: 'Campaign in {p} fails badly: angry customers, {n}% fewer orders',
      major: 'Disaster in {p}: furious customers boycott our brand, {n} retailers cancel, sales collapse',
    },
  },
  weather: {
    bad: {
      minor: 'Light rain expected in {p}, {n} mm',
      middle: 'Storm warning for {p}: gusts of {n} km/h, trains delayed',
      major: 'Hurricane devastates {p}: {n} dead, state of emergency, power gone in the whole region',
    },
    good: {
      minor: 'A little sun over {p} in the afternoon, {n} degrees',
      middle: 'Heat wave ends in {p}, first rain after {n} dry days saves the harvest',
      major: 'Drought of {n} years is over: reservoirs of {p} full again, rationing lifted for millions',
    },
  },
  transport: {
    bad: {
      minor: 'Lift to platform {n} at {p} station is being cleaned',
      middle: 'Strike of drivers cripples {p}: {n} lines cancelled, commuters stranded',
      major: 'Bridge collapses in {p}: {n} dead, port closed, all freight stopped indefinitely',
    },
    good: {
      minor: 'Timetable of bus {n} in {p} printed in a larger type',
      middle: 'New tram line in {p} opens with {n} stops',
      major: 'Government makes all trains from {p} free for {n} million people from today',
    },
  },
  plant: {
    bad: {
      minor: 'Routine check of pump {n} at {p} found a loose screw',
      middle: 'Line {n} in {p} stands still after a fault, output halved this week',
      major: 'Explosion destroys the plant in {p}: {n} injured, production stopped for months',
    },
    good: {
      minor: 'Shift plan of hall {n} in {p} updated',
      middle: 'Plant in {p} raises output by {n}% with a second line',
      major: 'Breakthrough in {p}: output tripled, contract over {n} billion signed with the government',
    },
  },
  sport: {
    good: {
      minor: 'Friendly match in {p} ends {n} to 1',
      middle: 'Home win in {p} before {n} thousand spectators',
      major: 'World champions! {p} celebrates with {n} million people in the streets',
    },
    bad: {
      minor: 'Training in {p} begins {n} minutes late',
      middle: '{p} loses the derby, {n} arrests after riots',
      major: 'Stadium fire in {p} kills {n}, all matches of the season called off',
    },
  },
  notice: {
    good: {
      minor: 'Minutes of meeting {n} in {p} are online',
      middle: 'Council of {p} approves budget of {n} million for schools',
      major: 'Peace treaty signed in {p} after {n} years of war',
    },
    bad: {
      minor: 'Office {n} in {p} closed for lunch',
      middle: 'Council of {p} raises fees by {n}%',
      major: 'Government falls in {p}: parliament dissolved, {n} ministers arrested, curfew declared',
    },
  },
};

/** Strength of an event by the weight of its text, about 1 in the mean of even weights. */
export const STRENGTH: Readonly<Record<Weight, number>> = { minor: 0.3, middle: 1, major: 1.7 };
export const WEIGHTS: readonly Weight[] = ['minor', 'middle', 'major'];
const PLACES = ['Lyon', 'Bristol', 'Kyoto', 'Porto', 'Austin', 'Gdansk', 'Leeds', 'Turin'];

export function textOf(chance: Chance, topic: Topic, tone: Tone, weight: Weight): string {
  return TEXTS[topic][tone][weight]
    .replace('{p}', chance.pick(PLACES))
    .replace('{n}', String(chance.whole(3, 39)));
}
