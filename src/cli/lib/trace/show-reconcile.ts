export const showReconcile = async (..._: unknown[]): Promise<number> => 0;
