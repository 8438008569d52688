export const showVerify = async (..._: unknown[]): Promise<number> => 0;
