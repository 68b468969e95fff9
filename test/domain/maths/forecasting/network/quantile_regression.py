"""The numbers that network.test.ts expects: pinball losses of exact quantile regression on the training rows of the table
`friedman` of ../../trees/tables.ts.

    pip install numpy statsmodels && python quantile_regression.py        # made with Python 3.11, numpy 2.4.6, statsmodels 0.15.0
"""
import pathlib
import sys

import numpy as np
from statsmodels.regression.quantile_regression import QuantReg

sys.path.append(str(pathlib.Path(__file__).parent / '../../trees'))
from reference import friedman, generator  # noqa: E402 - found by the line above

following = generator(11)
rows = np.array([friedman(following) for _ in range(2000)])[:1500]
x, y = np.column_stack([rows[:, :-1], np.ones(1500)]), rows[:, -1]
for level in (.1, .5, .9):
    residual = y - QuantReg(y, x).fit(q=level, max_iter=5000, p_tol=1e-9).predict(x)
    print(level, float(np.mean(np.maximum(level * residual, (level - 1) * residual))))
