"""The files and numbers of xgboost.json, which xgboost.test.ts expects.

    pip install xgboost numpy
    python reference-xgboost.py make OBJECTIVE      # a model of XGBoost's own on the table `missing`, and what it predicts
    python reference-xgboost.py predict FILE        # what XGBoost predicts with a file that was exported here

made with Python 3.11, numpy 2.4.6, xgboost 3.2.0; files of `predict` gave the same numbers with xgboost 2.1.4
"""
import json
import sys
import tempfile

import numpy as np
import xgboost

from reference import generator, missing

following = generator(12)
rows = np.array([missing(following) for _ in range(2000)])
x, y = rows[:, :-1].astype(np.float32), rows[:, -1]
asked = xgboost.DMatrix(x[1500:1530])


def predicted(booster):
    return [float(value) for value in np.sort(booster.predict(asked).reshape(30, -1), axis=1).ravel()]


if sys.argv[1] == 'make':
    parameters = {'objective': sys.argv[2], 'max_depth': 3, 'eta': .3, 'nthread': 1}
    if sys.argv[2] == 'reg:quantileerror':
        parameters['quantile_alpha'] = [.1, .5, .9]
    booster = xgboost.train(parameters, xgboost.DMatrix(x[:1500], y[:1500]), 4)
    with tempfile.NamedTemporaryFile(suffix='.json') as file:
        booster.save_model(file.name)
        print(json.dumps({'version': xgboost.__version__, 'file': json.load(open(file.name)), 'predictions': predicted(booster)}))
else:
    print(json.dumps({'version': xgboost.__version__, 'predictions': predicted(xgboost.Booster(model_file=sys.argv[2]))}))
