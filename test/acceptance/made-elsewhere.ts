import { inflateSync } from 'node:zlib';

// Models as other programs wrote them, for uploads: fitted to 700 days of a shop's orders (`daily` of
// series.ts, drawn with another generator), and what those programs themselves forecast.

const bytes = (lines: readonly string[]): Buffer => Buffer.from(lines.join(''), 'base64');

/** scikit-learn 1.9 `Ridge`, by skl2onnx 1.20: 28 z-scores as `X`, 7 steps on as `variable`. */
export const ridge: Buffer = bytes([
  'CAgSCHNrbDJvbm54GgAiB2FpLm9ubngoADIAOqQJCucICgFYEgh2YXJpYWJsZRoPTGluZWFyUmVncmVzc29yIg9MaW5lYXJSZWdy',
  'ZXNzb3Iq5QcKDGNvZWZmaWNpZW50cz1CS1U+PeBbDD09S8hUPD1h9uq9PV8PDbw96pgJvj1yD7i8PdGGMD49S5CdvT1KWlO9PZ6e',
  'KL09LIuvvT0K6zu9PehE9js9opYzPj3PEwu9PQFxrb09lXk2Oz0/+F68PSl4OD09IcnuvD0wN0g+PfYWxzw95Z6UvT0DKqY8PYAs',
  '5Ls9sP2RvT0DQ6a7PWdlkjo97ABSPj1kzhQ9PflUHTw94PT9vT1IIRu8PbIFCr49yR/TvD3JNjI+PY4anr09M4RLvT2GYBa9PRa5',
  'r709dd0rvT1fRMg7PZR9ND49d2AWvT2KEqy9PUWYDTs9psEcvD1Dmzk9PaTc6rw9OfJHPj26vdQ8PYxtk709lwPOPD3mOAS8PYWx',
  'n7097egjvT3aNSi7PVSaTj49kuscPT20qPw7PWnf8709uXwpvD0IARe+PWGG2bw9ew40Pj2onpq9PXm6Rr09whwdvT2EELi9PfbZ',
  'VL093171Oz3xcTU+PbEAFb0945mtvT2K1yQ6PS+bF7w9NRIRPT3TiPW8PXReSz497T+uPD1xFpO9Pewm3jw9jvIRvD1xqcY7PS3a',
  'E709BRA6Oz00A08+PdVQMD09oRmtOz2nPv29PVrNR7w9kpoZvj02swi9PbeqLT49LQqpvT3x6iu9PQMuF709swe9vT1Cx2q9PW4Y',
  'TDw9n0Y2Pj1N6Qq9PfMCtb09VT4pOz0sx4u8PX/SDT099ijsvD1H00s+PUPjxDw9pHCYvT1gmu88PXAuuz09peOuOz1D/fa8PS9b',
  'PLs9OmBLPj258S09PbofO7s91fYRvj3yvYC8PbG0Ir49MusZvT0q6iU+PVYEm7094bsovT2vzVm9PRCoxr09IzptvT3utKA8Paxb',
  'OT49j3X2vD3bzqe9PVn5f7w9yUeJvD1aOTg9Pel0+bw9BvpUPj3tfog8PTcfo709Yt1svT0ZG7Y9PQYIQTs9ajTWvD3EOta7PWgJ',
  'Tz49gjAyPT3vGRC8PU5UD749zaRfvD1GSiG+PSo2A709T/MlPj1tS5+9PRUSQ709MMRUvT0sCMS9PdB4dr092DWLPD1NGTU+PYqS',
  '/rw9Giy1vT0JGpm8PUJHjrw9JS8uPT0hIwC9PekDWD49UkOAPD28qpm8PUEQW709I967PT3hzmW6PdTur7w9gbY3vD1wd04+PcqC',
  'Wz09CnxOvD2JSxG+PSVXhrw9FWkmvj2LxwG9PbPtJT49Dv+KvT2YvkK9PcW3Xr09wae8vT31v3S9PRh4pzw9jd01Pj3/r668PRv8',
  'rr09axKavD3JxHW8PVaZNj09J1QLvT1/slw+oAEGKjIKCmludGVyY2VwdHM9AEBDPT3IAUw9PTz0QT09tnpSPT0M6nE9PdotZz09',
  'LH5yPaABBioOCgd0YXJnZXRzGAegAQI6CmFpLm9ubngubWwSC09OTlgoUmlkZ2UpWhEKAVgSDAoKCAESBgoACgIIHGIYCgh2YXJp',
  'YWJsZRIMCgoIARIGCgAKAggHQg4KCmFpLm9ubngubWwQAUIECgAQEUIECgAQEQ==',
]);
export const ridgeSignature = {
  inputs: [{ name: 'X', dtype: 'float32', shape: ['batch', 28] }],
  outputs: [{ name: 'variable', dtype: 'float32', shape: ['batch', 7] }],
  lookback: 28,
  horizon: 7,
  normalization: 'caller',
};
/** 28 days of a shop without any noise, and the week that onnxruntime for Python says follows on them. */
export const ridgePast: readonly number[] = Array.from(
  { length: 28 },
  (_, i) => [100, 96, 95, 99, 118, 140, 128][i % 7]! + 0.05 * i,
);
export const ridgeForecast = [
  101.900997, 97.000482, 96.810199, 100.289162, 119.928135, 141.593452, 129.486152,
];

const model = (lines: readonly string[]): Buffer => inflateSync(bytes(lines));
const signature = (horizon: number) => ({
  inputs: [{ name: 'features', dtype: 'float32', shape: ['batch', 7] }],
  outputs: [{ name: 'forecast', dtype: 'float32', shape: ['batch', horizon] }],
  lookback: 7,
  horizon,
  normalization: 'none',
});

/** XGBoost 3.2 `XGBRegressor`, five trees of depth 2: from a week of values to the next one. */
export const trees: Buffer = model([
  'eNrFl9tS4zgQhl9ly9dCJXXryP08BVAukyjBu0nM2IY9ULz7/q2YGWC2phaWJRVwWS1F+tX9dUd6aHalGw9lbM4fmm6ex/76bi6T',
  'tKZV/1s/t7W/OW8eLpu2THO/7+ZhbOc/b8tlc/7LZTOW7VimaRgvm8fmUTWb0s13Y2kP3V7mubj6bpIvLabt2K37cpjb62GY5uPy',
  '+2FddvKy6uaqoBxWLyeYynaPLy1zYM25rNt+/Ye0sfT2eh5Laes87W03dnuZ5XC3r43dDlYZgM3YRlW7NDFb40V5Dx3d3A+Htj+s',
  'b2doujDKKlKsnPJYsM7eHzZD7Vk+i100PTTX3VTa30u/vakiWbOPyTpXzkxQZ5Z0MtlGzGl0CuwYNq8TRYroZh2j4UROJR1MImu9',
  'IqutYeaAZeCWsh3G/smH39vtAVv+0frSXc87+r+ehq/LprvbSZg38/NtLVvr1825UY30tqubfrceC2C4sPCJh/hvfxi6G6YJY7rD',
  'ts5tk3ch6MSKrQ2kKTK2HcjpyE4ZbZ7/4+sI0aKVrIsucXCxyrA1BoQho/j1uQxCYMIrGdPtDtSuhsO6l1hWKUzakPNOWcvaZM5J',
  'WZc0kaX0phAcJwce/apu8rW7jv3C+T91ArgbpErfifaQIUo5ynhSgCxlk5N35+WdkzzJ6yfAXgINwgvgB7pmQXnJEVjiYlmgqG2J',
  'uKTypr0vKyRwzYHHR/UDsgiGdT5HPNVZ0Ew5xQD8NflociR1BmEp2ijOopRTUKTZcLZwmjU6GhMcnZBW+y5aiU1CDBJCYbO2MUYV',
  'nbM6Bh8+GVaCX22q3pR6ERiwenG6Nflfe//DQWXJHMVRcI1cOTXVLJwGewJMTYhsyEhgtUu+Ess6czTkUVhJB8ouGLwa7UGx8xhL',
  'yGVHyGYVdGB86JSVld7FqjMRkY6op9EGHR3SUmUfUc5C+mRWwUAI0Qh7QXtkDCsbvLAa6G0h+HBgvZGnzeIIa4RSzlJfbahVNpyC',
  '2Jyjo3R0BxnnUlZWE5OjIDa4M8lPpHgOJYCJxFuUkd1wsQywbAP7ExLL7yPWZZ0zgq6wQw3+ogoGO0d1+/SjQNJQg599ORQwXl4c',
  'Bd4Ug48/DKRaWI3UWMcVYhRWVY8FpzkKGIqOkbledh6ycTHXwxtCkgyLm3Xy5I/9GAvnJZIoJssGBcpqeNgg70+IrHtnkQWfQfAg',
  'HNaJcQRETJzOyUb/2SeCqFMOKFwoZBZXClR8r8Qago0c3hSF19AGKKD/dDCItbZagdQJuXw80tZn+p+hlVufXDTRPF7+5B633Ghf',
  '3wMr3dNqqGtcSPWBC9MXusL09RbabsZh33b3uAVun18SV7tumn6qdO7GbZmPmlQzXP8Kjf19qZs9qsMt+Xz6egdI1mUcoV+Jqa3Q',
  'fVM4rbod/DRMSxIum8SU0DSBBrlSSrSuHv8GFZR5uA==',
]);
export const treesSignature = signature(1);
/** Weeks, and what XGBoost says follows on them. */
export const treesForecasts: readonly (readonly [readonly number[], number])[] = [
  [[100, 96, 95, 99, 118, 140, 128], 101.52438],
  [[110, 106, 105, 109, 128, 150, 138], 108.3524],
  [[90, 86.4, 85.5, 89.1, 106.2, 126, 115.2], 101.16867],
];

/** The same with three outputs, one for each of the next three days. */
export const threeTrees: Buffer = model([
  'eNrFmO1S6zYQhm+l499Go9Xqk//nKoDxmEQJbpOY2oZzWoZ777uKDwROpwOUwUPwWJIj7777rLTRQ7XL7XDIQ3X+ULXTNHTXd1Me',
  'pTWuuj+6qSnj1Xn1cFk1eZy6fTv1QzP9dZsvq/PfLqshb4c8jv1wWT1Wj3W1ye10N+Tm0O5lnour5y750ty1Hdp1lw9Tc93343R8',
  '/b5f553crNqpWJAPq5cTjHm7x5fmOfDOKa+bbv1D2nj19noacm7KPM1tO7R7meVwty+N3Q698gCcoaou/dLEbJUXyzvY0U5df2i6',
  'w/p2gk0Xuuba41Vl3u6w6Usf1aYu13lE7HmortsxN99zt70pBp55xdpazz6faV+fkVGBg2ZTG61C8OwiOp2y3geHcVbWGorMdVTe',
  'OzRqQ4o8WxILoEne9kP3U8DndnOAv7/2vtTqdKD7++fj67xp73YS481UPDv5w3C3rs51Xclos7rpdushg4QLgigOtj998OiuH0c8',
  '0x62ZW74QYYV41Ey0SlNHm47ImXgtlb69B9fR3xmWw3ZYCN7G4oZVMQWoQcR9tQMU9vavzJjvN0B2VV/WHcSyGIKk4ouWsxErIIz',
  'kVxNFiJrx+8KwXFysNGtipOv5TqOC+T/NgjabpAnXSu2+yS+WxNxNd7gSsnKPcuVrIySMUWbwt4LmoF3BvngVs8czwmCnjD3zFCU',
  'tkRc8njT3OcVsrckwONj/QuzDkpRCOmZWBtM5EJsYiJT5IreaiKRC52MSEMua13UTh6MADssSSx9lFhLUQEDJm2T8hbOGHYqRfvV',
  'wCLuxjoLYBGBmDzmtEH54AXStwfgNa9UjPssXiPJPezC/ZFaGf1aXrHE2uhNCE/AxhiIJHTKcwwhHPWKVoeiV8RK4I2FXqKWTiW/',
  'U0iWFwTWfBBYq51VxtSMhZWBh6xWEgQOboklNmC5FGKTCfG4woak9bsi8JpYI4b9P2JdIdadEHtcYXmZFRZGERw3jmsUCEgcb5Do',
  'TiGaqA7qs6CYvYfB9ZlBSJNB/VAbhU0rIeNJK2xF2K4WpJU/RKuhlJJypRxQjkyoffJRiVNfiyqqEhOsA6raKzBruSYXYAj7d8n/',
  '6cUAk0CK3BUwdVlodSj9AqynJUjlxBrVj6DKQFUTSDXOY3uBQDAxeo9iClltYnJJY91VbDQlw6KVS1ZruyCq9mOosmZ4BGc8eWU0',
  'ttdgsKGkYP0CsFKEKaSxtTmpR05pfXsEPr0UQB4XWoXTwKVyTaU7LAartdhbfFlXEcEQg8DKWO99UUpyOBalsNkElLJQCp3YoESo',
  'ED0vWQO4j6EKp1ACgABkJX5uBRZUrQoebi2wrpKXdZUFQdRj2OgAKGGPf7v+n14BLAqqHErIOQiax7MJOWaYD1xeH1MUosdVX95x',
  'gR/KqBLIpW9QVO6R8m6+N5DYfzNXeG85PWk2Q79v2vs8tNvTw43Vrh3H/3RhaodtBpIVi2H99e8wvrvPRYWj2UPeno9/3gGcdR4G',
  'OFZLV1M4fDJ9XLU7CNiPc0bO3mNK2DSCEESDJYxXj/8AUr45ew==',
]);
export const threeTreesSignature = signature(3);
export const threeTreesForecast: readonly [readonly number[], readonly number[]] = [
  [100, 96, 95, 99, 118, 140, 128],
  [105.21821, 104.140724, 104.29809],
];
