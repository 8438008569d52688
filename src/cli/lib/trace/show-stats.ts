export const showStats = async (..._: unknown[]): Promise<number> => 0;
