/** The package brings no types. `compound`: -1 (most negative) to 1. */
declare module 'vader-sentiment' {
  const vader: {
    readonly SentimentIntensityAnalyzer: { polarity_scores(text: string): { readonly compound: number } };
  };
  export default vader;
}
