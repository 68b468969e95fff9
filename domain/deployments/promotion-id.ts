const FORM = /^prm_([0-9a-f]{16})_[0-9a-z]{8,32}$/;

/** `subject`: 16 hex digits that stand for what is deployed; `random`: of base 36. */
export const promotionIdOf = (subject: string, random: string): string => `prm_${subject}_${random}`;

/** What a deployment is of, by its id alone: its journal is found from it. Null for an id of another form. */
export const subjectIn = (promotionId: string): string | null => FORM.exec(promotionId)?.[1] ?? null;
