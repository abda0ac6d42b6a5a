/** "$1.25", or "$0.0040" where two digits would hide it; null for what is no code of ISO 4217. */
export function moneyText(amount: number, currency: string): string | null {
  if (!/^[A-Z]{3}$/.test(currency)) return null;
  const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 4 : 2;
  return new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}
