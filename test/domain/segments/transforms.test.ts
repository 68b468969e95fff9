import { TRANSFORMS, type Fill, type Transform } from '../../../domain/segments/recipe.js';
import { suite } from '../../suite.js';
import { assertClose, built, columnOf, input, pointsOf, recipeOf, sourcesOf, type Values } from './given.js';

// pandas 3.1.1, numpy 2.4.6 of x = pd.Series([...]); what is not finite counts as missing.

const X: Values = [3.1, -1.2, 4.7, null, 5.9, 2.65, 5.3, 5.8, null, null, 9.7, 9.32, 3.84, 6.26, 4.33, 8.3];
const given = async (transform: Transform, fill: Fill, x: Values = X): Promise<Values> => {
  const recipe = recipeOf({ inputs: [input('x', { transform })], fill });
  const signals = { y: pointsOf(x.map(() => 1)), x: pointsOf(x) };
  return columnOf(await built(recipe, sourcesOf({ signals })), 'x');
};

const expected: Readonly<Record<Transform, readonly [call: string, values: Values]>> = {
  none: ['x', X],
  diff: [
    'x.diff()',
    [
      ...[null, -4.3, 5.9, null, null, -3.2500000000000004, 2.65, 0.5, null, null, null, -0.379999999999999],
      ...[-5.48, 2.42, -1.9299999999999997, 3.9700000000000006],
    ],
  ],
  pct_change: [
    'x.pct_change(fill_method=None)',
    [
      ...[null, -1.3870967741935485, -4.916666666666667, null, null, -0.5508474576271187, 1],
      ...[0.09433962264150941, null, null, null, -0.039175257731958624, -0.5879828326180258],
      ...[0.6302083333333333, -0.30830670926517567, 0.9168591224018476],
    ],
  ],
  log: [
    'np.log(x)',
    [
      ...[1.1314021114911006, null, 1.547562508716013, null, 1.7749523509116738, 0.9745596399981308],
      ...[1.667706820558076, 1.7578579175523736, null, null, 2.272125885509337, 2.2321626286975],
      ...[1.3454723665996355, 1.8341801851120072, 1.4655675420143985, 2.1162555148025524],
    ],
  ],
  log1p: [
    'np.log1p(x)',
    [
      ...[1.410986973710262, null, 1.7404661748405044, null, 1.9315214116032138, 1.2947271675944],
      ...[1.840549633397487, 1.916922612182061, null, null, 2.3702437414678603, 2.334083760053417],
      ...[1.5769147207285403, 1.9823798288367047, 1.6733512381777533, 2.2300144001592104],
    ],
  ],
  asinh: [
    'np.arcsinh(x)',
    [
      ...[1.8496036794731785, -1.015973134179692, 2.2518395970315983, null, 2.4752052194025724],
      ...[1.7015432910088353, 2.3696374478085054, 2.4583552254704086, null, null, 2.9679195689496676],
      ...[2.928175578082686, 2.0551581446594636, 2.5336467376066603, 2.171789776441906, 2.813012072716702],
    ],
  ],
};

suite('inputs are transformed as pandas and numpy do', test => {
  for (const transform of TRANSFORMS) {
    const [call, values] = expected[transform];
    test(call, async () => assertClose(await given(transform, { method: 'none', max_gap_steps: 1 }), values));
  }

  test('x.ffill(limit=2).diff(): after holes were filled', async () =>
    assertClose(await given('diff', { method: 'ffill', max_gap_steps: 2 }), [
      ...[null, -4.3, 5.9, 0, 1.2000000000000002, -3.2500000000000004, 2.65, 0.5, 0, 0, 3.8999999999999995],
      ...[-0.379999999999999, -5.48, 2.42, -1.9299999999999997, 3.9700000000000006],
    ]));

  test('x.pct_change(fill_method=None).replace([inf, -inf], nan) from 0', async () =>
    assertClose(await given('pct_change', { method: 'none', max_gap_steps: 1 }, [2, 0, 3, 0, 0]), [
      ...[null, -1, null, -1, null],
    ]));
});
