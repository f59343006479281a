export const all = () => [];
