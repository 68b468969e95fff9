/** Null where it cannot be told. `smape` is 0 to 200, `crps` over the nine deciles. */
export type Metrics = {
  readonly mase: number | null;
  readonly rmsse: number | null;
  readonly smape: number | null;
  readonly mae: number | null;
  readonly crps: number | null;
  readonly coverage_80: number | null;
  readonly coverage_95: number | null;
  readonly bias: number | null;
};

/** A forecast of the backtest: what every number of a report can be computed from. Times are epoch ms. */
export type BacktestPoint = {
  readonly fold: number;
  readonly entity: string | null;
  /** From 1. */
  readonly step: number;
  readonly ts: number;
  readonly actual: number | null;
  readonly mean: number;
  /** By level: .025, the nine deciles, .975. */
  readonly quantiles: Readonly<Record<string, number>>;
};

/** How well a training did, on folds that it did not see. `score` is the primary metric. */
export type Report = {
  readonly metric: string;
  readonly score: number | null;
  /** In steps, of the scale of MASE. */
  readonly period: number;
  readonly metrics: Metrics;
  /** The same numbers of the seasonal naive forecast. */
  readonly baseline: Metrics;
  /** 1 - score/baseline. */
  readonly skill: number | null;
  readonly folds: readonly (Metrics & {
    readonly fold: number;
    readonly train_from: number;
    readonly train_to: number;
    readonly test_from: number;
    readonly test_to: number;
    readonly score: number | null;
  })[];
  readonly per_step: readonly (Metrics & { readonly step: number })[];
  readonly per_entity: readonly (Metrics & { readonly entity: string })[];
  readonly calibration: readonly {
    readonly nominal: number;
    readonly observed: number;
    readonly n: number;
  }[];
  readonly residuals: {
    readonly mean: number | null;
    /** Of lags 1, 2, ... */
    readonly autocorrelation: readonly number[];
    readonly ljung_box_p: number | null;
  };
  readonly importance: readonly {
    readonly feature: string;
    readonly importance: number;
    readonly kind: string;
  }[];
  readonly event_effects: readonly {
    readonly stream: string;
    readonly effect: number;
    readonly n: number;
  }[];
  readonly backtest: { readonly points: readonly BacktestPoint[] };
  readonly warnings: readonly string[];
};
