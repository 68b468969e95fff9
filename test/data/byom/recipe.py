"""Makes the files beside it; each is run on one window, which expected.json holds with what its own library answers.

    pip install numpy scikit-learn skl2onnx xgboost torch onnx
    python recipe.py sklearn|xgboost|torch

made with Python 3.11, numpy 2.4.6, scikit-learn 1.9.1, skl2onnx 1.20.0, xgboost 3.2.0 and 2.1.4, torch 2.15.0
"""
import json
import os
import sys

import numpy as np

L, H = 24, 6
rng = np.random.default_rng(1)
t = np.arange(2000)
y = 100 + 10 * np.sin(2 * np.pi * t / 12) + rng.normal(0, 1, 2000) + .01 * t
at = range(L, len(y) - H)
X = np.array([y[i - L:i] for i in at], dtype=np.float32)
Y = np.array([y[i:i + H] for i in at], dtype=np.float32)
mean, deviation = X.mean(1, keepdims=True), X.std(1, keepdims=True)
Z, W = ((X - mean) / deviation).astype(np.float32), ((Y - mean) / deviation).astype(np.float32)
here = os.path.dirname(os.path.abspath(__file__))
place = os.path.join(here, 'expected.json')


def keep(name, answer):
    known = json.load(open(place)) if os.path.exists(place) else {'window': X[100].tolist()}
    known[name] = np.asarray(answer, dtype=float).ravel().tolist()
    json.dump(known, open(place, 'w'))


if sys.argv[1] == 'sklearn':
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import FloatTensorType
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.linear_model import Ridge

    for name, model in {'ridge': Ridge(), 'forest': RandomForestRegressor(n_estimators=4, max_depth=4, random_state=1)}.items():
        model.fit(Z, W)
        made = to_onnx(model, initial_types=[('series', FloatTensorType([None, L]))], target_opset={'': 17, 'ai.onnx.ml': 3})
        open(os.path.join(here, name + '.onnx'), 'wb').write(made.SerializeToString())
        keep(name, model.predict(Z[100:101]) * deviation[100] + mean[100])
elif sys.argv[1] == 'xgboost':
    import xgboost

    version = xgboost.__version__.split('.')[0]
    for steps in (H, 1):
        model = xgboost.XGBRegressor(n_estimators=4, max_depth=3, learning_rate=.7)
        model.fit(X, Y[:, :steps])
        name = f'xgboost{version}-{steps}'
        model.get_booster().save_model(os.path.join(here, name + '.json'))
        keep(name, model.predict(X[100:101]))
else:
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(1)

    class Quantiles(torch.nn.Module):
        """[batch, L, 1] to [batch, H, 3]: an LSTM and a linear layer."""

        def __init__(self):
            super().__init__()
            self.lstm = torch.nn.LSTM(1, 8, batch_first=True)
            self.out = torch.nn.Linear(8, H * 3)

        def forward(self, series):
            _, (state, _) = self.lstm(series)
            return self.out(state[0]).reshape(-1, H, 3).sort(dim=2).values

    model = Quantiles()
    optimizer = torch.optim.Adam(model.parameters(), .02)
    levels = torch.tensor([.1, .5, .9])
    z, w = torch.tensor(Z[:200])[:, :, None], torch.tensor(W[:200])[:, :, None]
    for _ in range(150):
        optimizer.zero_grad()
        miss = w - model(z)
        torch.maximum(levels * miss, (levels - 1) * miss).mean().backward()
        optimizer.step()
    model.eval()
    torch.onnx.export(
        model, (z[:1],), os.path.join(here, 'lstm.onnx'), input_names=['series'], output_names=['quantiles'],
        dynamic_axes={'series': {0: 'batch'}, 'quantiles': {0: 'batch'}}, opset_version=17, dynamo=False,
    )
    keep('lstm', model(z[100:101]).detach().numpy() * deviation[100] + mean[100])
